// Reads a script file: JSONC text in, turns out.
import { TenonError } from '@tenon/protocol'
import type { ParseError } from 'jsonc-parser'
import { z } from 'zod'
import { type ScriptTurn, script } from './schema.ts'

/**
 * Turns of a script file. Comments and trailing commas are allowed.
 * @param name what to call the file in errors
 * @throws TenonError `invalid`, naming line or field
 */
export async function parseScript(text: string, name = 'script'): Promise<readonly ScriptTurn[]> {
  // 4 ms that only those pay who use a script.
  const { parse, printParseErrorCode } = await import('jsonc-parser')
  const errors: ParseError[] = []
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true })
  const [broken] = errors
  if (broken) {
    const line = text.slice(0, broken.offset).split('\n').length
    throw invalid(`${name}:${line}: ${printParseErrorCode(broken.error)}`)
  }
  const parsed = script.safeParse(value)
  if (!parsed.success) throw invalid(`${name}: ${z.prettifyError(parsed.error)}`)
  return parsed.data.turns
}

const invalid = (message: string) =>
  new TenonError({ code: 'invalid', message, action: 'Correct the script; its shape is {"turns": [{"text": "…"}]}.' })
