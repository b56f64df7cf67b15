// The demo's story: how an agent finds and fixes the bug of the scratch project. Data only; demo/model.ts tells it.
import { demoFix, demoMarker } from './project.ts'

export interface StoryTurn {
  /** Any of these in the newest message lets the story go on. Absent: anything does. */
  readonly after?: readonly string[]
  readonly reasoning?: string
  readonly text: string
  readonly calls?: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[]
}

type Status = 'pending' | 'in_progress' | 'completed'

const todos = (find: Status, fix: Status, check: Status) => ({
  name: 'TodoWrite',
  input: {
    todos: [
      { content: 'Find out which test fails and why', status: find, activeForm: 'Finding the failing test' },
      { content: 'Fix the bug', status: fix, activeForm: 'Fixing the bug' },
      { content: 'Run the tests again', status: check, activeForm: 'Running the tests again' },
    ],
  },
})

const runTests = (description: string) => ({ name: 'Bash', input: { command: 'node --test', description } })
const read = (path: string) => ({ name: 'Read', input: { file_path: path } })

/** One entry a reply of the model. */
export const demoStory: readonly StoryTurn[] = [
  {
    text: `I will run the tests of ${demoMarker} first, to see the failure with my own eyes.`,
    calls: [todos('in_progress', 'pending', 'pending'), runTests('Run the tests')],
  },
  {
    after: ['3250', 'fail 1'],
    text: 'One test fails: the total of a cart with four cups comes out too small. Now the code behind it, and the test.',
    calls: [read(demoFix.path), read('test/cart.test.js')],
  },
  {
    after: [demoFix.before.trim()],
    reasoning:
      'total() sums line.price and never looks at line.quantity: 450 + 700 = 1150. The test wants 450 + 4 × 700 = 3250. ' +
      'The test is right, so the code changes, and only in that line.',
    text: '`total` adds each price once and ignores the quantity. I multiply the two; the test is right as it stands.',
    calls: [
      { name: 'Edit', input: { file_path: demoFix.path, old_string: demoFix.before, new_string: demoFix.after } },
    ],
  },
  {
    text: 'Now the tests again.',
    calls: [todos('completed', 'completed', 'in_progress'), runTests('Run the tests again')],
  },
  {
    after: ['fail 0'],
    text: 'All three pass.',
    calls: [todos('completed', 'completed', 'completed')],
  },
  {
    text: [
      'The failing test passes now.',
      '',
      `- **Cause:** \`total\` in \`${demoFix.path}\` summed the prices of the lines and left out their quantities.`,
      '- **Fix:** one line, `line.price * line.quantity`.',
      '- **Checked:** `node --test`, 3 of 3 pass.',
      '',
      'This was the offline demo: the tools, the files and the tests were real, my words came from a script. To work on a',
      'project of your own, choose a model with `--model provider/id` or `TENON_MODEL`.',
    ].join('\n'),
  },
]
