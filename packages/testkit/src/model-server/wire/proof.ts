// The proof that a provider gives with its reasoning: made of the text alone, so that an altered one shows at once.
import { createHash } from 'node:crypto'

/** @param format a proof of one provider is none for another */
export const proofOf = (format: string, text: string): string =>
  createHash('sha256').update(`${format}\n${text}`).digest('base64')
