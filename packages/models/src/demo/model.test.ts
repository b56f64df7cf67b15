// The story against its own project: real files, real `node --test`, tools reduced to what the story needs.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ModelMessage, ModelPart } from '@tenon/core'
import {
  assistantMessage,
  callPart,
  collect,
  deltas,
  modelRequest,
  modelTool,
  toolMessage,
  userMessage,
} from '@tenon/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { createDemoModel } from './model.ts'
import { demoFix, demoProject, demoPrompt } from './project.ts'
import { demoStory } from './story.ts'

const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), 'tenon-demo-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const tools = ['Bash', 'Read', 'Edit', 'TodoWrite'].map(modelTool)

function writeProject(): void {
  for (const [path, text] of Object.entries(demoProject)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function runTool(name: string, input: Record<string, string>): string {
  const file = join(folder, input.file_path ?? '')
  if (name === 'Read') return readFileSync(file, 'utf8')
  if (name === 'Edit') {
    const text = readFileSync(file, 'utf8')
    expect(text.split(input.old_string ?? '')).toHaveLength(2)
    writeFileSync(file, text.replace(input.old_string ?? '', input.new_string ?? ''))
  }
  if (name !== 'Bash') return 'done'
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout, stderr } = spawnSync('bash', ['-c', input.command ?? ''], { cwd: folder, encoding: 'utf8', env })
  return stdout + stderr
}

const calls = (parts: readonly ModelPart[]) => parts.filter((part) => part.type === 'call.end')

async function play(messages: ModelMessage[], status: 'ok' | 'denied' = 'ok'): Promise<readonly string[]> {
  const texts: string[] = []
  for (let turn = 0; turn < 20; turn++) {
    const { parts, error } = await collect(
      createDemoModel().stream(modelRequest({ messages: [...messages], tools }), never),
    )
    expect(error).toBeUndefined()
    const made = calls(parts).map((call, place) => ({ ...call, id: `${turn}-${place}`, input: JSON.parse(call.text) }))
    texts.push(deltas(parts, 'text.delta'))
    const text = { type: 'text', text: deltas(parts, 'text.delta') } as const
    messages.push(assistantMessage([text, ...made.map(({ id, name, input }) => callPart(id, name, input))]))
    if (!made.length) return texts
    messages.push(toolMessage(...made.map(({ id, name, input }) => [id, name, runTool(name, input), status] as const)))
  }
  throw new Error('the story has no end')
}

describe('demo model', () => {
  test('fixes the failing test of its project, then has nothing more to tell', async () => {
    writeProject()
    const messages = [userMessage(demoPrompt)]
    expect(await play(messages)).toEqual(demoStory.map((turn) => turn.text))
    const fixed = { ...demoProject, [demoFix.path]: demoProject[demoFix.path]?.replace(demoFix.before, demoFix.after) }
    for (const [path, text] of Object.entries(fixed)) expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
    messages.push(userMessage('again'))
    expect(await play(messages)).toEqual([expect.stringContaining('story of the demo is told')])
  })

  test('ends when a tool was denied, or shows what the script does not know', async () => {
    writeProject()
    expect((await play([userMessage(demoPrompt)], 'denied')).at(-1)).toBe(
      'TodoWrite was not allowed, so the story of the demo ends here.',
    )
    writeFileSync(join(folder, 'test/cart.test.js'), 'throw new Error()')
    expect((await play([userMessage(demoPrompt)])).at(-1)).toContain('not the output my script knows')
  })

  test('says what it is and how to set a model outside its project', async () => {
    const elsewhere = await collect(createDemoModel().stream(modelRequest({ tools }), never))
    const noTools = await collect(
      createDemoModel().stream(modelRequest({ messages: [userMessage(demoPrompt)] }), never),
    )
    for (const { parts } of [elsewhere, noTools]) {
      expect(calls(parts)).toEqual([])
      expect(deltas(parts, 'text.delta')).toMatch(/offline demo model[\s\S]*--model[\s\S]*TENON_MODEL/)
    }
  })
})
