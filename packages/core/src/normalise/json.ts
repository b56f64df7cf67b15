// Normalisation, step 2: argument text to a JSON value. What was a string in the model's text stays that string.
import type { ErrorCode, Json } from '@tenon/protocol'

export type RepairedJson =
  | { readonly value: Json; readonly repairs: readonly string[] }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } }

/**
 * Parses, else repairs: a fence removed, raw control characters inside strings escaped, trailing commas and junk behind
 * the last brace cut, an equal doubled object taken once, empty text → `{}`. Text that ends inside a value is `args_cut`.
 */
export function repairJson(text: string): RepairedJson {
  const direct = parse(text)
  if (direct) return { value: direct.value, repairs: [] }
  const repairs: string[] = []
  const trimmed = unfence(text.trim().replace(/^\uFEFF/, ''), repairs)
  if (trimmed === '') return { value: {}, repairs: [...repairs, 'empty arguments → {}'] }
  const scan = scanValue(trimmed)
  if (scan.end === undefined) return { error: cutOrBroken(text, trimmed, scan) }
  const parsed = parse(scan.clean)
  if (!parsed) return { error: broken(text, scan.clean) }
  if (scan.controls) repairs.push(`${scan.controls} control characters escaped`)
  if (scan.commas) repairs.push('stray comma removed')
  const rest = trimmed.slice(scan.end).trim()
  if (rest) repairs.push(describeRest(rest, parsed.value))
  return { value: parsed.value, repairs }
}

function parse(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function unfence(text: string, repairs: string[]): string {
  const fence = /^```[\w-]*[ \t]*\r?\n([\s\S]*?)\r?\n?```$/.exec(text)
  if (!fence) return text
  repairs.push('code fence removed')
  return (fence[1] ?? '').trim()
}

type Scan = {
  /** Where the first value ends; `undefined` when the text stops inside it. */
  readonly end: number | undefined
  /** The value with control characters in strings escaped and trailing commas gone. */
  readonly clean: string
  readonly controls: number
  readonly commas: number
}

/** Walks one value; inside strings only control characters change, and only to their own escape. */
function scanValue(text: string): Scan {
  let clean = ''
  let depth = 0
  let controls = 0
  let commas = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? ''
    if (inString) {
      if (char === '\\') clean += char + (text[++i] ?? '')
      else if (char < ' ') {
        clean += escapeControl(char)
        controls++
      } else {
        clean += char
        inString = char !== '"'
      }
      continue
    }
    if (char === ',' && /^\s*[}\],]/.test(text.slice(i + 1, i + 200))) {
      commas++
      continue
    }
    clean += char
    if (char === '"') inString = true
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return { end: i + 1, clean, controls, commas }
  }
  return { end: undefined, clean, controls, commas }
}

const escapeControl = (char: string): string => JSON.stringify(char).slice(1, -1)

function describeRest(rest: string, value: Json): string {
  const again = parse(rest)
  const doubled = again && JSON.stringify(again.value) === JSON.stringify(value)
  return doubled ? 'doubled arguments taken once' : `${rest.length} characters behind the arguments cut`
}

function cutOrBroken(text: string, trimmed: string, scan: Scan): { code: ErrorCode; message: string } {
  if (!/^[{[]/.test(trimmed)) return broken(text, scan.clean)
  return {
    code: 'args_cut',
    message: `The arguments stop after ${text.length} characters inside a value: …${JSON.stringify(trimmed.slice(-60))}. The call was not run. Send it again, in smaller parts if it was cut by the output limit.`,
  }
}

function broken(text: string, clean: string): { code: ErrorCode; message: string } {
  let why = 'not JSON'
  try {
    JSON.parse(clean)
  } catch (error) {
    why = error instanceof Error ? error.message : why
  }
  return {
    code: 'args_not_json',
    message: `The arguments are not JSON (${why}): ${JSON.stringify(text.slice(0, 120))}. Send one JSON object.`,
  }
}
