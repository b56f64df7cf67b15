// The prompt: what was typed, the file of -f, and what comes through standard input.
import { fstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Blobs } from '@tenon/core'
import type { Part } from '@tenon/protocol'
import { usage } from '../args/parse.ts'

/** How long an open pipe may stay silent beside a typed prompt (ms), and what is too long for the message itself. */
const silenceMs = 250
const inlineBytes = 512 << 10

export interface Prompt {
  /** Typed words and the file, each a part of its own. */
  readonly texts: readonly string[]
  /** What came through standard input; `null`: nothing did. */
  readonly input: Buffer | null
}

/** @throws TenonError `usage` when the file cannot be read */
export async function readPrompt(
  typed: string | undefined,
  file: string | undefined,
  signal: AbortSignal,
): Promise<Prompt> {
  const texts = [...(typed === undefined ? [] : [typed]), ...(file === undefined ? [] : [await readPromptFile(file)])]
  return { texts, input: await readInput(texts.length > 0, signal) }
}

const readPromptFile = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: Error) => {
    throw usage(`The prompt file ${path} cannot be read: ${error.message}.`, 'Check the path after --file.')
  })

async function readInput(beside: boolean, signal: AbortSignal): Promise<Buffer | null> {
  if (process.stdin.isTTY) return null
  const facts = statInput()
  // A device such as /dev/null says nothing.
  if (!facts || (!facts.isFile() && !facts.isFIFO() && !facts.isSocket())) return null
  const wait = beside && !facts.isFile() ? silenceMs : undefined
  const bytes = await readAll(wait, signal)
  return bytes.length > 0 ? bytes : null
}

function statInput() {
  try {
    return fstatSync(0)
  } catch {
    return undefined
  }
}

/** To the end; with `wait`, nothing when no byte comes within that time. */
function readAll(wait: number | undefined, signal: AbortSignal): Promise<Buffer> {
  const { stdin } = process
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      stdin.removeAllListeners()
      stdin.pause()
      // An open pipe would hold the process.
      if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
      resolve(Buffer.concat(chunks))
    }
    const leave = () => {
      done()
      reject(signal.reason)
    }
    const timer = wait === undefined ? undefined : setTimeout(done, wait)
    stdin.on('data', (chunk: Buffer) => {
      clearTimeout(timer)
      chunks.push(chunk)
    })
    stdin.once('end', done)
    stdin.once('error', done)
    signal.addEventListener('abort', leave, { once: true })
  })
}

export interface PromptParts {
  readonly parts: readonly Part[]
  /** What a person should know about the input. */
  readonly notice?: string
}

/** The parts of the message; a long input goes to the session's blobs and is named. */
export async function toParts({ texts, input }: Prompt, blobs: () => Promise<Blobs>): Promise<PromptParts> {
  const typed = texts.map((text): Part => ({ type: 'text', text }))
  if (!input) return { parts: typed }
  if (input.length > inlineBytes) {
    const blob = await (await blobs()).put(input, 'text/plain')
    const about = `Standard input (${input.length} bytes) is stored as blob:${blob.sha256}; read it in parts.`
    return { parts: [...typed, { type: 'text', text: about }, { type: 'file', path: `blob:${blob.sha256}`, blob }] }
  }
  const text = input.toString('utf8')
  const broken = text.includes('\ufffd') && !isUtf8(input)
  return {
    parts: [...typed, { type: 'text', text }],
    ...(broken && { notice: 'Standard input is not valid UTF-8: what could not be read is marked with \ufffd.' }),
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
