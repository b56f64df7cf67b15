// Settings that a session understands now: one flat map of dotted keys, each with its schema and default.
import { z } from 'zod'
import type { Json } from './json.ts'
import { permissionMode } from './shape.ts'

/** `Tool` or `Tool(text)`: a lost bracket must not turn a narrow rule into one for the whole tool. */
const rule = z
  .string()
  .regex(
    /^[A-Za-z_][\w-]*(\([\s\S]+\))?$/,
    'a rule is `Tool` or `Tool(text)`, with both brackets and text between them',
  )
const rules = z.array(rule).max(1000)

/** Session settings: `session.configured` holds these keys and no others. `null` unsets an optional one. */
export const settingSchemas = {
  title: z.string().max(200).nullable(),
  model: z.string().min(1),
  mode: permissionMode,
  agent: z.string(),
  'limits.turns': z.int().positive().nullable(),
  'limits.usd': z.number().positive().nullable(),
  'limits.tokens': z.int().positive().nullable(),
  'limits.minutes': z.number().positive().nullable(),
  'limits.parallelTools': z.int().min(1).max(64),
  'checks.stuck': z.boolean(),
  'checks.stuckRepeats': z.int().min(2).max(20),
  'checks.verify': z.boolean(),
  'permissions.allow': rules,
  'permissions.ask': rules,
  'permissions.deny': rules,
  /** Fingerprint of tools and prompt texts of the build that owns the session; set by the opener. */
  build: z.string(),
} as const
export type SettingKey = keyof typeof settingSchemas
export type Settings = { readonly [K in SettingKey]: z.infer<(typeof settingSchemas)[K]> }

/** Longest session that nobody watches; interactive sessions set `limits.turns` to null. */
export const defaultSettings: Settings = {
  title: null,
  model: 'demo',
  mode: 'default',
  agent: 'default',
  'limits.turns': null,
  'limits.usd': null,
  'limits.tokens': null,
  'limits.minutes': null,
  'limits.parallelTools': 8,
  'checks.stuck': true,
  'checks.stuckRepeats': 3,
  'checks.verify': false,
  'permissions.allow': [],
  'permissions.ask': [],
  'permissions.deny': [],
  build: '',
}

/** Settings whose change makes waiting verdicts stale. */
export const verdictKeys: readonly SettingKey[] = ['mode', 'permissions.allow', 'permissions.ask', 'permissions.deny']

const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingSchemas, key)

/** What is wrong with one `key: value`, or `undefined` when a session can take it. */
export function settingIssue(key: string, value: Json): string | undefined {
  if (!isSettingKey(key)) return `unknown setting "${key}"`
  const parsed = settingSchemas[key].safeParse(value)
  if (parsed.success) return undefined
  const [issue] = parsed.error.issues
  const at = issue?.path[0]
  const got = Array.isArray(value) && typeof at === 'number' ? ` (got ${JSON.stringify(value[at])})` : ''
  return `${key}: ${issue?.message ?? 'invalid'}${got}`
}
