import { normaliseInput, resolveName, type Tool, toModelSchema } from '@tenon/core'
import type { Json } from '@tenon/protocol'
import { describe, expect, test } from 'vitest'
import { coreTools } from '../families.ts'
import { askUserQuestion } from './ask-user-question.ts'
import { finish } from './finish.ts'
import { todoWrite } from './todo-write.ts'

function input(tool: Tool, raw: Json) {
  const normal = normaliseInput(tool, raw, { cwd: '/work' })
  if ('issues' in normal) throw new Error(normal.issues)
  return normal.input
}

describe('TodoWrite', () => {
  const emit = (raw: Json, before: Parameters<typeof todoWrite.emit>[1]['todos'] = []) =>
    todoWrite.emit(todoWrite.schema.parse(input(todoWrite, raw)), { todos: before })

  test('steps get ids and keep them while their text stays', () => {
    const first = emit({ todos: [{ content: 'a', status: 'doing', activeForm: 'doing a' }, { title: 'b' }] })
    expect(first.todos).toEqual([
      { id: '1', content: 'a', activeForm: 'doing a', status: 'in_progress' },
      { id: '2', content: 'b', activeForm: 'b', status: 'pending' },
    ])
    const second = emit(
      { todos: [{ content: 'new' }, { content: 'b', status: 'in-progress' }, { content: 'a', status: 'done' }] },
      first.todos,
    )
    expect(second.todos?.map(({ id, content, status }) => [id, content, status])).toEqual([
      ['3', 'new', 'pending'],
      ['2', 'b', 'in_progress'],
      ['1', 'a', 'completed'],
    ])
    expect(second.result.digest).toBe('1 of 3 steps done')
  })

  test('one step a level is in progress; the other goes back and that is said', () => {
    const { todos, result } = emit({
      todos: [
        { content: 'a', status: 'in_progress' },
        { content: 'b', status: 'in_progress' },
        { content: 'c', parent: '1', status: 'in_progress' },
      ],
    })
    expect(todos?.map(({ status }) => status)).toEqual(['pending', 'in_progress', 'in_progress'])
    expect(result.content).toEqual([{ type: 'text', text: expect.stringContaining('"a" went back to pending') }])
  })

  test('an empty list clears', () => {
    expect(emit({ todos: [] })).toMatchObject({ todos: [], result: { status: 'ok' } })
  })
})

test('a bare question is free text; headers fit', () => {
  const ask = (raw: Json) => askUserQuestion.toQuestions(askUserQuestion.schema.parse(input(askUserQuestion, raw)))
  expect(ask({ question: 'Why?' })).toEqual({
    title: 'Why?',
    questions: [{ question: 'Why?', header: 'Question 1', options: [], multiSelect: false }],
  })
  expect(
    ask({
      questions: [
        {
          question: 'Which?',
          header: 'A long header text',
          choices: [{ label: 'x' }, { label: 'y', description: 'why' }],
        },
      ],
    }).questions,
  ).toEqual([
    {
      question: 'Which?',
      header: 'A long heade',
      options: [
        { label: 'x', description: '' },
        { label: 'y', description: 'why' },
      ],
      multiSelect: false,
    },
  ])
})

test('Finish reports its outcome as data', () => {
  const done = (raw: Json) => finish.emit(finish.schema.parse(input(finish, raw)), { todos: [] }).result
  expect(done({ summary: 'all green', status: 'done' })).toMatchObject({
    structured: { outcome: 'success' },
    content: [{ type: 'text', text: 'all green' }],
  })
  expect(done({ outcome: 'blocked' }).structured).toEqual({ outcome: 'blocked' })
})

describe('every tool', () => {
  test.each(coreTools.map((tool) => [tool.name, tool] as const))('%s keeps the budget of its texts', (_, tool) => {
    expect(tool.description.length).toBeLessThanOrEqual(600)
    const visit = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return
      if ('description' in schema && typeof schema.description === 'string')
        expect(schema.description.length).toBeLessThanOrEqual(100)
      for (const value of Object.values(schema)) visit(value)
    }
    visit(toModelSchema(tool))
  })

  test('names and aliases are unique and resolve', () => {
    const names = coreTools.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool.name] as const))
    expect(new Set(names.map(([name]) => name)).size).toBe(names.length)
    for (const [name, canonical] of names)
      expect(resolveName(name, coreTools)).toMatchObject({ tool: { name: canonical } })
  })

  test('the schemas of the first request stay small', () => {
    const bytes = coreTools.map(
      (tool) => JSON.stringify({ name: tool.name, description: tool.description, schema: toModelSchema(tool) }).length,
    )
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(6600)
  })
})
