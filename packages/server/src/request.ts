// Reading requests: bounded JSON bodies, strict schemas, strict query strings. Values are never echoed in errors.
import { TenonError } from '@tenon/protocol'
import { z } from 'zod'
import { nearest } from './nearest.ts'

const mebibyte = 1024 * 1024
const depthLimit = 64

/**
 * The JSON body of a request; an absent one is `{}`.
 * @throws TenonError `bad_request` (no JSON, nested over 64 levels, other media type), `too_large` over 1 MiB, or
 * over 24 MiB for a body that holds inline images
 */
export async function readJson(request: Request): Promise<unknown> {
  const media = request.headers.get('content-type') ?? ''
  if (media !== '' && !/^application\/([\w.-]+\+)?json\b/i.test(media)) {
    throw bad('The body is not JSON.', 'Send it with content-type application/json.', { status: 415 })
  }
  const text = await readText(request, 24 * mebibyte)
  if (text.trim() === '') return {}
  const body = parse(text)
  if (!withinDepth(body, depthLimit)) {
    throw bad(`The body is nested deeper than ${depthLimit} levels.`, 'Send a flatter body.')
  }
  if (text.length > mebibyte && !hasInlineImage(body)) throw tooLarge(mebibyte)
  return body
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw bad('The body is not valid JSON.', 'Send one JSON object in UTF-8.')
  }
}

async function readText(request: Request, limit: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  if (!request.body) return ''
  const decoder = new TextDecoder()
  const reader = request.body.getReader()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > limit) {
      await reader.cancel()
      throw tooLarge(limit)
    }
    text += decoder.decode(value, { stream: true })
  }
}

const withinDepth = (value: unknown, left: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (left > 0 && Object.values(value).every((field) => withinDepth(field, left - 1)))

const image = z.object({ type: z.literal('image'), url: z.string().startsWith('data:') })

function hasInlineImage(body: unknown): boolean {
  const parts = typeof body === 'object' && body !== null && 'parts' in body ? body.parts : undefined
  return Array.isArray(parts) && parts.some((part) => image.safeParse(part).success)
}

/** @throws TenonError `unknown_field` naming the nearest known one, `invalid` naming paths and rules */
export function parseBody<T extends z.ZodObject>(schema: T, body: unknown): z.infer<T> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw toError(parsed.error.issues, Object.keys(schema.shape), 'field')
}

/** The query string by a strict schema whose fields take strings. @throws as `parseBody` */
export function parseQuery<T extends z.ZodObject>(schema: T, url: string): z.infer<T> {
  const parsed = schema.safeParse(Object.fromEntries(new URL(url).searchParams))
  if (parsed.success) return parsed.data
  throw toError(parsed.error.issues, Object.keys(schema.shape), 'query parameter')
}

function toError(issues: readonly z.core.$ZodIssue[], known: readonly string[], what: string): TenonError {
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys')
  const name = unknown?.keys[0]
  if (unknown && name !== undefined) {
    const guess = unknown.path.length === 0 ? nearest(name, known) : undefined
    const path = [...unknown.path.map(String), name.slice(0, 100)].join('.')
    return new TenonError(
      {
        code: 'unknown_field',
        message: `Unknown ${what} "${path}".`,
        action: guess ? `Did you mean "${guess}"?` : `Leave it out. Known here: ${known.join(', ')}.`,
      },
      { field: path, ...(guess ? { nearest: guess } : {}) },
    )
  }
  const fields = issues.map((issue) => ({ path: issue.path.join('.') || 'body', rule: issue.message }))
  const first = fields[0]
  return new TenonError(
    {
      code: 'invalid',
      message: `Invalid ${first?.path}: ${first?.rule}`,
      action: `Correct the ${what} and send again.`,
    },
    { fields },
  )
}

/** Query fields: whole numbers and switches, as text. */
export const wholeNumber = z
  .string()
  .regex(/^-?\d{1,15}$/, 'must be a whole number')
  .transform(Number)
export const flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true')

export const bad = (message: string, action: string, facts: Record<string, unknown> = {}): TenonError =>
  new TenonError({ code: 'bad_request', message, action }, facts)

const tooLarge = (limit: number): TenonError =>
  new TenonError(
    {
      code: 'too_large',
      message: `The body is over ${limit / mebibyte} MiB.`,
      action: 'Send less, or put large content into a file that the message names.',
    },
    { limit },
  )
