// AskUserQuestion: becomes an ask; the answer, whenever and from wherever it comes, is the result.
import { defineTool } from '@tenon/core'
import type { Question } from '@tenon/protocol'
import { z } from 'zod'
import { inSession } from '../result.ts'

const option = z
  .object({
    label: z.string().min(1),
    description: z.string().default('').describe('What choosing it means'),
    preview: z.string().optional().meta({ hidden: true }),
  })
  .meta({ aliases: { title: 'label', name: 'label', value: 'label' } })

const question = z
  .object({
    question: z.string().min(1),
    header: z.string().default('').describe('At most 12 characters'),
    options: z.array(option).max(4).default([]).describe('2 to 4 choices; a free answer is always possible'),
    multiSelect: z.boolean().default(false),
  })
  .meta({ aliases: { text: 'question', choices: 'options' } })

const schema = z.object({
  questions: z.array(question).min(1).max(4).optional().describe('1 to 4 questions'),
  question: z.string().optional().meta({ hidden: true }),
})
type Input = z.infer<typeof schema>

export const askUserQuestion = defineTool({
  kind: 'ask',
  name: 'AskUserQuestion',
  title: 'Ask the person',
  aliases: ['ask_user', 'ask_user_question', 'ask_followup_question', 'ask_human'],
  description:
    'Asks the person when only they can decide: a choice that changes the result, a missing fact. Ask all at once, offer ' +
    'choices, put the one you would take first. Do not ask for leave to go on.',
  schema,
  parameterAliases: { prompt: 'question', message: 'question' },
  paths: [],
  annotations: inSession,
  access: () => [],
  resources: () => [],
  timeoutMs: () => 5000,
  toQuestions,
})

const headerLimit = 12

function toQuestions(input: Input): { readonly title: string; readonly questions: readonly Question[] } {
  const asked = input.questions ?? [
    { question: input.question ?? 'The agent asks for an answer.', header: '', options: [], multiSelect: false },
  ]
  const questions = asked.map(({ question, header, options, multiSelect }, i) => ({
    question,
    header: (header || `Question ${i + 1}`).slice(0, headerLimit),
    options: options.map(({ label, description }) => ({ label, description })),
    multiSelect,
  }))
  return { title: questions.length === 1 ? (questions[0]?.question ?? '') : `${questions.length} questions`, questions }
}
