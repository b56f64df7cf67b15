import { TenonError } from '@tenon/protocol'
import type { ServerTurn } from '@tenon/testkit'
import { expect, test } from 'vitest'
import { parseScript } from './parse.ts'

const failureOf = (text: string) =>
  parseScript(text, 'a.jsonc').catch((error: unknown) =>
    error instanceof TenonError ? `${error.code} ${error.message}` : error,
  )

test('reads JSONC with comments and trailing commas, and fills in defaults', async () => {
  const turns = await parseScript(`\uFEFF{
    // first
    "turns": [{"text": "hi", "calls": [{"name": "Bash"}], "fail": {"class": "overloaded", "status": 529}},],
  }`)
  expect(turns).toEqual([
    {
      text: 'hi',
      calls: [{ name: 'Bash', input: {} }],
      fail: { class: 'overloaded', status: 529, times: 1, after: 0 },
    },
  ])
})

test('names line or field of what is wrong', async () => {
  expect(await failureOf('{"turns": [\n{"text": }]}')).toBe('invalid a.jsonc:2: ValueExpected')
  expect(await failureOf('{"turns": [{"txt": "a"}]}')).toMatch(/^invalid a\.jsonc: .*"txt"[\s\S]*turns\[0\]/)
  expect(await failureOf('')).toMatch(/^invalid a\.jsonc:1: /)
})

test('a parsed script is what the model server takes', async () => {
  const turns: readonly ServerTurn[] = await parseScript('{"turns": [{"text": "a", "fault": {"type": "cut"}}]}')
  expect(turns[0]?.fault).toMatchObject({ type: 'cut', times: 1, after: 0 })
})
