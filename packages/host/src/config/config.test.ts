import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readUserConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-config-'))
afterEach(() => rmSync(join(folder, 'config.jsonc'), { force: true }))
const read = (text: string) => {
  writeFileSync(join(folder, 'config.jsonc'), text)
  return readUserConfig(folder)
}

test('model and providers, with comments and trailing commas', async () => {
  const acme = { api: 'openai-chat', baseUrl: 'http://127.0.0.1:1/v1', apiKeyEnv: ['A', 'B'] }
  expect(
    await read(`// mine\n{"model": "acme/large", "providers": {"acme": ${JSON.stringify(acme)}, }, "later": 1}`),
  ).toEqual({
    model: 'acme/large',
    providers: { acme },
    problems: [],
  })
})

test('no file, an empty file and a folder in its place are nothing', async () => {
  const nothing = { providers: {}, problems: [] }
  expect(await readUserConfig(join(folder, 'missing'))).toEqual(nothing)
  expect(await read(' \n')).toEqual(nothing)
  expect((await readUserConfig('/dev/null')).problems).toEqual([])
})

test('what is broken is named with its place and left out', async () => {
  expect((await read('{\n "model": "a/b"\n "providers": {}}')).problems).toEqual([
    expect.stringMatching(/config\.jsonc:3: /),
  ])
  const { model, providers, problems } = await read(
    '{"model": 3, "providers": {"x": {"api": "smtp", "baseUrl": "u"}, "y": {"api": "openai-chat", "baseUrl": "u"}}}',
  )
  expect([model, Object.keys(providers)]).toEqual([undefined, ['y']])
  expect(problems).toEqual([expect.stringContaining('model:'), expect.stringContaining('providers.x.api')])
  expect((await read('[]')).problems).toEqual([expect.stringContaining('not an object')])
})
