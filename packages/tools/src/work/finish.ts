// Finish: the model says that the work is over and how it went; the run ends after its sibling calls.
import { defineTool } from '@tenon/core'
import { finishOutcomes } from '@tenon/protocol'
import { z } from 'zod'
import { inSession, ok } from '../result.ts'

const schema = z.object({
  message: z.string().default('').describe('What was done, what is left, what the reader must know'),
  outcome: z
    .enum(finishOutcomes)
    .default('success')
    .meta({
      synonyms: {
        complete: 'success',
        completed: 'success',
        done: 'success',
        failure: 'failed',
        incomplete: 'partial',
      },
    }),
})

export const finish = defineTool({
  kind: 'emit',
  name: 'Finish',
  title: 'Finish the work',
  aliases: ['finish', 'task_complete', 'attempt_completion', 'submit', 'complete_task'],
  description: 'Ends the run with a report. Use it when the task is done and checked, or when you cannot go on.',
  schema,
  parameterAliases: { summary: 'message', result: 'message', text: 'message', status: 'outcome' },
  paths: [],
  annotations: inSession,
  access: () => [],
  resources: () => [],
  timeoutMs: () => 5000,
  emit: ({ message, outcome }) => ({
    result: ok(message || 'Finished.', { structured: { outcome }, digest: `Finished: ${outcome}` }),
  }),
})
