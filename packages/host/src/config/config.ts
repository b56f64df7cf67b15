// The user's config.jsonc: the model and the providers. A broken file is named and left out.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ParseError } from 'jsonc-parser'
import { z } from 'zod'

const seconds = z.number().positive().optional()

/** USD per million tokens. */
const price = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
})

/** What the user knows better than the catalogue about one model. */
const modelSetting = z.object({
  context: z.int().positive().optional(),
  output: z.int().positive().optional(),
  name: z.string().min(1).optional(),
  tools: z.enum(['native', 'prompt']).optional(),
  parallelTools: z.boolean().optional(),
  vision: z.boolean().optional(),
  reasoning: z.enum(['none', 'effort', 'budget', 'adaptive']).optional(),
  cache: z.enum(['markers', 'key', 'none']).optional(),
  price: price.optional(),
  family: z.string().optional(),
})

/** One connection. The key is named by its variable, never written down. A known id needs nothing but its key. */
const providerSetting = z.object({
  api: z.enum(['openai-chat', 'openai-responses', 'anthropic', 'google']).optional(),
  baseUrl: z.string().min(1).optional(),
  params: z.record(z.string(), z.json()).optional(),
  auth: z.enum(['bearer', 'x-api-key', 'x-goog-api-key', 'query', 'none']).optional(),
  models: z.record(z.string(), modelSetting).optional(),
  apiKeyEnv: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  timeouts: z.object({ connect: seconds, firstByte: seconds, idle: seconds }).optional(),
})
export type ProviderSetting = Readonly<z.infer<typeof providerSetting>>

export interface UserConfig {
  readonly model?: string
  readonly providers: Readonly<Record<string, ProviderSetting>>
  /** What was left out and why, each with its place. */
  readonly problems: readonly string[]
}

const nothing: UserConfig = { providers: {}, problems: [] }

/** @param folder the user's config folder */
export async function readUserConfig(folder: string): Promise<UserConfig> {
  const path = join(folder, 'config.jsonc')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (text instanceof Error) return isAbsent(text) ? nothing : { ...nothing, problems: [`${path}: ${text.message}`] }
  if (text.trim() === '') return nothing
  const { parse, printParseErrorCode } = await import('jsonc-parser')
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length
    return { ...nothing, problems: [`${path}:${line}: ${printParseErrorCode(first.error)}; the file is left out`] }
  }
  return pick(path, value)
}

const isAbsent = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOENT' || code === 'ENOTDIR'

function pick(path: string, value: unknown): UserConfig {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ...nothing, problems: [`${path}:1: not an object; the file is left out`] }
  const problems: string[] = []
  const fields: { readonly model?: unknown; readonly providers?: unknown } = value
  const model = z.string().min(1).optional().safeParse(fields.model)
  if (!model.success) problems.push(`${path}: model: must be text, "provider/id"`)
  const providers: Record<string, ProviderSetting> = {}
  for (const [id, entry] of Object.entries(fields.providers ?? {})) {
    const parsed = providerSetting.safeParse(entry)
    if (parsed.success) providers[id] = parsed.data
    else {
      const [issue] = parsed.error.issues
      problems.push(`${path}: providers.${[id, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'invalid'}`)
    }
  }
  return { ...(model.data !== undefined && { model: model.data }), providers, problems }
}
