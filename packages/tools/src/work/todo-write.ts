// TodoWrite: the whole list of what is planned, being done and done.
import { defineTool, type Emitted } from '@tenon/core'
import type { Todo } from '@tenon/protocol'
import { z } from 'zod'
import { inSession, ok } from '../result.ts'

const most = 100

const item = z
  .object({
    content: z.string().min(1).describe('What to do'),
    status: z
      .enum(['pending', 'in_progress', 'completed'])
      .default('pending')
      .meta({
        synonyms: {
          todo: 'pending',
          doing: 'in_progress',
          started: 'in_progress',
          done: 'completed',
          complete: 'completed',
        },
      }),
    activeForm: z.string().optional().describe('The same as something going on: "Running tests"'),
    id: z.string().optional().meta({ hidden: true }),
    parent: z.string().optional().meta({ hidden: true }),
    notes: z.string().optional().meta({ hidden: true }),
  })
  .meta({ aliases: { title: 'content', task: 'content', text: 'content', description: 'content' } })

const schema = z.object({ todos: z.array(item).max(most).describe('The whole list; it replaces the old one') })
type Input = z.infer<typeof schema>

export const todoWrite = defineTool({
  kind: 'emit',
  name: 'TodoWrite',
  title: 'Plan the work',
  aliases: ['write_todos', 'todo_write', 'task_tracker', 'clear_todos', 'update_plan'],
  description:
    'Keeps the list of steps for work of three or more steps, shown to the person. Send the whole list each time; have ' +
    'one step in_progress, and mark a step completed as soon as it is done.',
  schema,
  parameterAliases: { task_list: 'todos', tasks: 'todos', items: 'todos', plan: 'todos' },
  paths: [],
  annotations: inSession,
  access: () => [],
  resources: () => [{ key: 'todos', mode: 'exclusive' }],
  timeoutMs: () => 5000,
  emit: (input, state) => emitTodos(input, state.todos),
})

function emitTodos(input: Input, before: readonly Todo[]): Emitted {
  const { todos, returned } = oneInProgress(toTodos(input, before))
  const names = returned.map((todo) => JSON.stringify(todo.content)).join(', ')
  const note = returned.length ? `\n[One step at a time is in progress: ${names} went back to pending.]` : ''
  const done = todos.filter(({ status }) => status === 'completed').length
  return {
    todos,
    result: ok(todos.length ? `${todos.map(toLine).join('\n')}${note}` : 'The list is empty.', {
      digest: `${done} of ${todos.length} steps done`,
    }),
  }
}

/** A step keeps its id while its text stays; a new one gets the next free number. */
function toTodos(input: Input, before: readonly Todo[]): readonly Todo[] {
  const used = new Set(input.todos.map(({ id }) => id))
  const known = new Map(before.map((todo) => [todo.content, todo]))
  let next = 1
  const fresh = (): string => {
    while (used.has(String(next))) next++
    used.add(String(next))
    return String(next)
  }
  for (const { id, content } of input.todos) if (id === undefined) used.add(known.get(content)?.id)
  return input.todos.map(({ id, content, status, activeForm, parent, notes }) => {
    const old = known.get(content)
    known.delete(content)
    return {
      id: id ?? old?.id ?? fresh(),
      content,
      activeForm: activeForm ?? old?.activeForm ?? content,
      status,
      ...(parent !== undefined && { parent }),
      ...((notes ?? old?.notes) !== undefined && { notes: notes ?? old?.notes }),
    }
  })
}

/** At each level the last one set in progress stays so. */
function oneInProgress(todos: readonly Todo[]): {
  readonly todos: readonly Todo[]
  readonly returned: readonly Todo[]
} {
  const current = new Map<string, Todo>()
  for (const todo of todos) if (todo.status === 'in_progress') current.set(todo.parent ?? '', todo)
  const returned = todos.filter((todo) => todo.status === 'in_progress' && current.get(todo.parent ?? '') !== todo)
  return { returned, todos: todos.map((todo) => (returned.includes(todo) ? { ...todo, status: 'pending' } : todo)) }
}

const marks = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const

const toLine = (todo: Todo): string =>
  `${todo.parent === undefined ? '' : '  '}${marks[todo.status]} ${todo.id}. ${todo.content}`
