// SHA-256 for pure code, which takes its hash as an argument.
import { hash } from 'node:crypto'
import type { Hash } from '@tenon/protocol'

export const sha256: Hash = (text) => hash('sha256', text, 'hex')
