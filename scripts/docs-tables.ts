// docs/settings.md, docs/errors.md and docs/exit-codes.md, from the tables in the code.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCode, failureExitCode, signalExitCodes } from '../packages/cli/src/exit-code.ts'
import { retriesOf } from '../packages/core/src/next/retry.ts'
import * as protocol from '../packages/protocol/src/index.ts'
import { page } from './docs-events.ts'
import { code, commentsIn, row, typeOf } from './docs-schema.ts'
import { root } from './source.ts'

/** What each setting does. A new setting gets its line here. */
const settings: Readonly<Record<protocol.SettingKey, string>> = {
  title: 'Name of the session in lists, and one that `-r` finds it by.',
  model: 'Model of the next request: `provider/id`, `demo`, or `script:FILE`.',
  mode: 'Permission mode: what is allowed where no rule speaks.',
  agent: 'Name of the agent; only `default` exists.',
  'limits.turns': 'Replies of the model since the newest message of a person. `tenon -p` sets 500.',
  'limits.usd': 'Money of the whole session in USD, as far as it is known: requests without a price count nothing.',
  'limits.tokens': 'Tokens of the whole session, in and out.',
  'limits.minutes': 'Minutes of the whole session’s runs; waiting for answers does not count.',
  'limits.parallelTools': 'Calls of one reply that may run at the same time.',
  'checks.stuck': 'Whether going in circles is noticed.',
  'checks.stuckRepeats': 'How many equal calls with equal results count as going in circles.',
  'checks.verify': 'Whether the model is reminded once to check what it changed.',
  'permissions.allow': 'Rules of calls that run without a question.',
  'permissions.ask': 'Rules of calls that always ask.',
  'permissions.deny': 'Rules of calls that never run. A deny beats every other rule and mode.',
  build: 'Fingerprint of tools and prompt texts; set by Tenon itself.',
}

export function toSettingsPage(): string {
  const keys = Object.keys(protocol.settingSchemas) as protocol.SettingKey[]
  const comments = commentsIn(read('packages/protocol/src/settings.ts'), 'export const settingSchemas')
  const rows = keys.map((key) => {
    const schema = protocol.settingSchemas[key]
    const value = protocol.defaultSettings[key]
    const shown = key === 'build' ? '' : code(JSON.stringify(value))
    return row(
      code(key),
      `${typeOf(schema, new Map())}${rangeOf(schema.toJSONSchema())}`,
      shown,
      settings[key] || (comments.get(key) ?? ''),
    )
  })
  return page(
    'Settings',
    'Settings belong to a session: they are events in its log (`session.configured`), so they stay when it is resumed. Flags of `tenon -p` set them when a session is opened or resumed; `tenon session configure ID KEY=VALUE…` sets them at any time, the value as JSON or bare text.',
    ['| setting | value | default | |', '|---|---|---|---|', ...rows].join('\n'),
    '## Rules',
    'A rule is the name of a tool (`Grep`), or a tool with what it may touch: `Bash(npm test)` is that command, `Bash(npm run *)` every command that begins so, `Edit(src/**)` paths below the session’s folder, `Read(//etc/**)` absolute ones. A rule for `Edit` or `Write` speaks of everything that writes, a rule for `Read` of everything that reads; a `Read` deny denies writing as well. An allow rule with a command never covers a command line of several parts (`;`, `&`, `|`, redirections, substitutions); a deny or ask rule covers each part of one.',
    '## The user’s file',
    'What is set outside a session: `config.jsonc` in the `config` folder that `tenon paths` prints. Comments and trailing commas are allowed. A part that cannot be read is named and left out, the rest counts.',
    [
      '| field | value |',
      '|---|---|',
      row(code('model'), 'Model of new sessions: `provider/id`.'),
      row(
        code('providers.ID.api'),
        'Wire format: `"openai-chat"`, `"openai-responses"`, `"anthropic"` or `"google"`. Needed for an id that is not known.',
      ),
      row(
        code('providers.ID.baseUrl'),
        'What stands before `/chat/completions`. An address without a path gets `/v1`.',
      ),
      row(
        code('providers.ID.apiKeyEnv'),
        'Name of the variable that holds the key, or a list: the first that is set counts. A server on loopback needs none.',
      ),
      row(code('providers.ID.headers'), 'Further headers, name to value.'),
      row(code('providers.ID.params'), 'Further fields of every request body.'),
      row(code('providers.ID.auth'), 'How the key is sent: `bearer`, `x-api-key`, `x-goog-api-key`, `query`, `none`.'),
      row(
        code('providers.ID.models.MODEL'),
        'What you know better than the built-in catalogue: `context`, `output`, `name` (on the wire), `tools` (`native`, `prompt`), `parallelTools`, `vision`, `reasoning`, `cache`, `price` (USD per million tokens: `input`, `output`, `cacheRead`, `cacheWrite`), `family`.',
      ),
      row(code('providers.ID.timeouts'), '`connect`, `firstByte`, `idle` in seconds; 30, 120, 120 unless set.'),
    ].join('\n'),
    '## Variables',
    [
      '| variable | meaning |',
      '|---|---|',
      row(code('TENON_HOME'), 'Moves every folder of `tenon paths`. Without it the XDG variables are followed.'),
      row(code('TENON_MODEL'), 'Model of new sessions; stronger than the file, weaker than `--model`.'),
      row(code('OPENAI_BASE_URL'), 'Address of `openai/…`.'),
      row(
        code('*_API_KEY'),
        'Keys of known providers: `ANTHROPIC`, `OPENAI`, `GEMINI` (or `GOOGLE`), `OPENROUTER`, `DEEPSEEK`, `GROQ`, `MISTRAL`, `XAI`, `CEREBRAS`, `MOONSHOT`, `MINIMAX`, `ZAI`, `TOGETHER`, `FIREWORKS`, `DEEPINFRA`.',
      ),
      row(code('TENON_ALLOW_ROOT'), '`1` lets root use the mode `bypassPermissions`.'),
      row(code('NO_COLOR'), 'No colours in the demo.'),
    ].join('\n'),
  )
}

interface Range {
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly anyOf?: readonly Range[]
}

function rangeOf(schema: unknown): string {
  // JSON Schema as zod writes it.
  const range = schema as Range
  const { minimum, exclusiveMinimum, maximum, maxLength, maxItems } = range.anyOf?.[0] ?? range
  const bounds = [
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? [`from ${minimum}`] : []),
    ...(exclusiveMinimum !== undefined ? [`above ${exclusiveMinimum}`] : []),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? [`to ${maximum}`] : []),
    ...(maxLength !== undefined ? [`at most ${maxLength} characters`] : []),
    ...(maxItems !== undefined ? [`at most ${maxItems}`] : []),
  ]
  return bounds.length > 0 ? `, ${bounds.join(' ')}` : ''
}

export function toErrorsPage(): string {
  const groups = groupsOf(read('packages/protocol/src/error.ts'))
  const sections = groups.flatMap(([title, codes]) => [
    `### ${title}`,
    codes.map((name) => `- \`${name}\`${exitOf(name)}`).join('\n'),
  ])
  const classes = protocol.failureClasses.map((name) => {
    const left = retriesOf(name)
    return row(
      code(name),
      left === 0 ? 'none' : String(left),
      String(failureExitCode({ code: 'model_failed', class: name, message: '', action: '', retryable: false })),
    )
  })
  return page(
    'Error codes',
    'The closed lists of `packages/protocol/src/error.ts`. A failure has a `code`, a `message` (what happened), an `action` (what to do next), and for a failed model request a `class`. The same object stands in events, in refusals of commands, in the JSON result of `tenon -p` and in answers of the server.',
    '## Codes',
    ...sections,
    'Where a number is given, `tenon -p` ends with that [exit code](exit-codes.md) when the failure ends the run or comes before it; all others give 1.',
    '## Classes of a failed model request',
    'How often a request is tried again, and the exit code when the tries are spent. Between two tries lie 1, 2, 4 … seconds, at most 60, with jitter, or what the provider asks for; a wait of more than ten minutes ends the run at once.',
    ['| class | tries after the first | exit code |', '|---|---|---|', ...classes].join('\n'),
  )
}

/** The groups that comments make in the list of codes. */
function groupsOf(source: string): readonly (readonly [string, readonly string[]])[] {
  const start = source.indexOf('export const errorCodes')
  const list = source.slice(start, source.indexOf('] as const', start))
  return list
    .split(/\n\s*\/\/ /)
    .slice(1)
    .map((part): readonly [string, readonly string[]] => {
      const [title = '', ...rest] = part.split('\n')
      return [
        title.charAt(0).toUpperCase() + title.slice(1),
        [...rest.join('\n').matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
      ]
    })
}

function exitOf(name: string): string {
  const known = protocol.errorCodes.find((other) => other === name)
  const exit = known ? failureExitCode({ code: known, message: '', action: '', retryable: false }) : 1
  return exit === 1 ? '' : `, exit ${exit}`
}

export function toExitCodesPage(): string {
  const of = (outcome: Parameters<typeof exitCode>[0]['outcome'], more: object = {}) =>
    exitCode({ outcome, unanswered: false, ...more })
  const codes = (exit: number) => protocol.errorCodes.filter((name) => exitOf(name) === `, exit ${exit}`)
  const classes = (exit: number) =>
    protocol.failureClasses.filter(
      (name) =>
        failureExitCode({ code: 'model_failed', class: name, message: '', action: '', retryable: false }) === exit,
    )
  const list = (found: readonly string[]) => found.map(code).join(', ')
  const rows: readonly (readonly [number, string])[] = [
    [of('done'), 'The run ended done. Calls may have been denied: `permission_denials` of the JSON result lists them.'],
    [
      of('failed'),
      'The run failed for a reason that no other row names, the model refused, or the agent reported that the task is blocked or failed.',
    ],
    [2, `Wrong usage. Codes: ${list(codes(2))}.`],
    [3, `No usable model. Codes: ${list(codes(3))}; classes: ${list(classes(3))}.`],
    [
      of('asked'),
      'A question waits (`--on-ask stop`); or the run ended done, but a question found nobody to answer it (`--strict-permissions`).',
    ],
    [of('limit'), 'A limit was reached: replies, money, tokens or minutes.'],
    [6, `The provider stayed unavailable. Classes: ${list(classes(6))}.`],
    [
      7,
      `Session or storage. Codes: ${list(codes(7))}. Also: \`session verify\` or \`session replay --check\` found a problem.`,
    ],
    [of('stuck'), 'The agent went in circles.'],
    ...Object.entries(signalExitCodes).map(([signal, exit]): readonly [number, string] => [
      exit,
      `${signal}${signal === 'SIGINT' ? ', or the run was paused or interrupted by somebody else' : signal === 'SIGPIPE' ? ': nobody reads standard output any more' : ''}.`,
    ]),
  ]
  return page(
    'Exit codes',
    'Of `tenon -p`. The first that holds counts: the signal that stopped it, then how the run ended, then what failed. `exit_code` of the JSON result is the same number.',
    ['| code | when |', '|---|---|', ...rows.map(([exit, text]) => row(String(exit), text))].join('\n'),
    '`tenon tool run` ends with 0 when the call succeeded, 4 when it was denied, else 1. Other commands end with 0, or with the code of their failure.',
  )
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
