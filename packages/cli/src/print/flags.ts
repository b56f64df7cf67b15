// The flags of a headless run, as data; `tenon help` is written from the same table.
import type { FlagTable } from '../args/parse.ts'

export const printFlags = {
  print: {
    names: ['-p', '--print'],
    value: 'optional',
    what: 'TEXT',
    help: 'Run without a terminal: print the result and exit.',
  },
  file: { names: ['-f', '--file'], value: 'one', what: 'FILE', help: 'Read the prompt from a file.' },
  continue: { names: ['-c', '--continue'], help: 'Go on with the newest session of this project.' },
  resume: {
    names: ['-r', '--resume'],
    value: 'one',
    what: 'ID',
    help: 'Go on with a session: id, start of an id, title, or last.',
  },
  sessionId: { names: ['--session-id'], value: 'one', what: 'ID', help: 'Id of the new session.' },
  title: { names: ['--title'], value: 'one', what: 'TEXT', help: 'Title of the session.' },
  noPersistence: { names: ['--no-session-persistence'], help: 'Keep the session in memory only.' },
  takeOver: { names: ['--take-over'], help: 'Take the session from the process that holds it.' },
  cwd: { names: ['-C', '--cwd', '--working-dir'], value: 'one', what: 'DIR', help: 'Folder to work in.' },
  model: { names: ['-m', '--model'], value: 'one', what: 'MODEL', help: 'provider/id, demo, or script:FILE.' },
  maxTurns: { names: ['--max-turns'], value: 'one', what: 'N', help: 'Replies of the model, 500 unless set.' },
  maxBudget: { names: ['--max-budget-usd'], value: 'one', what: 'USD', help: 'Money.' },
  maxTokens: { names: ['--max-total-tokens'], value: 'one', what: 'N', help: 'Tokens, in and out.' },
  maxTime: { names: ['--max-time'], value: 'one', what: 'MINUTES', help: 'Time: minutes, or 90s, 10m, 2h.' },
  permissionMode: {
    names: ['--permission-mode'],
    value: 'one',
    what: 'MODE',
    help: 'default, acceptEdits, plan, dontAsk or bypassPermissions.',
  },
  allowedTools: {
    names: ['--allowedTools', '--allowed-tools'],
    value: 'one',
    what: 'RULES',
    help: 'Rules of calls that need no approval, such as "Edit,Bash(npm test)".',
  },
  disallowedTools: {
    names: ['--disallowedTools', '--disallowed-tools'],
    value: 'one',
    what: 'RULES',
    help: 'Rules of calls that are denied.',
  },
  onAsk: {
    names: ['--on-ask'],
    value: 'one',
    what: 'deny|stop|wait',
    help: 'What a question means with nobody here to answer.',
  },
  strict: { names: ['--strict-permissions'], help: 'Exit 4 when a question found nobody to answer it.' },
  skipPermissions: {
    names: ['--dangerously-skip-permissions', '--yolo', '--always-approve'],
    help: 'Approve everything. Not as root, unless TENON_ALLOW_ROOT=1.',
  },
  outputFormat: {
    names: ['--output-format'],
    value: 'one',
    what: 'FORMAT',
    help: 'text, json, stream-json or events.',
  },
  partial: { names: ['--include-partial-messages'], help: 'With stream-json: the reply as it is written, too.' },
  output: {
    names: ['-o', '--output-last-message'],
    value: 'one',
    what: 'FILE',
    help: 'Write the final message to a file, too.',
  },
  verbose: { names: ['--verbose'], help: 'Tell on standard error what happens.' },
  quiet: { names: ['-q', '--quiet'], help: 'Say nothing on standard error but errors.' },
  apiKey: {
    names: ['--api-key'],
    value: 'one',
    what: 'KEY',
    help: 'Refused: arguments can be read by everybody on this machine.',
  },
} as const satisfies FlagTable
