// What tools give back: text that is fine, or an error that says what happened, why and what to do next.
import type { Annotations, ToolResult } from '@tenon/core'
import { type ErrorCode, TenonError } from '@tenon/protocol'

type Extra = Omit<ToolResult, 'status' | 'content'>

export const ok = (text: string, extra: Extra = {}): ToolResult => ({
  status: 'ok',
  content: [{ type: 'text', text }],
  ...extra,
})

/** `more` is text that the model needs to go on: nearest lines, output so far. */
export const fail = (code: ErrorCode, message: string, next: string, more = '', extra: Extra = {}): ToolResult => ({
  status: 'error',
  content: [{ type: 'error', code, message, next }, ...(more ? [{ type: 'text' as const, text: more }] : [])],
  ...extra,
})

/** Runs a tool's work; a port's expected failure becomes its result, a bug passes. */
export async function settle(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TenonError)) throw error
    return fail(error.code, error.failure.message, error.failure.action)
  }
}

export const readsOnly: Annotations = { readOnly: true, destructive: false, idempotent: true, openWorld: false }
export const changesFiles: Annotations = { readOnly: false, destructive: true, idempotent: false, openWorld: false }
export const changesAnything: Annotations = { readOnly: false, destructive: true, idempotent: false, openWorld: true }
/** Touches nothing but the session itself. */
export const inSession: Annotations = { readOnly: true, destructive: false, idempotent: false, openWorld: false }

/** `1 line`, `3 lines`, `1,204 lines`. */
export const count = (n: number, noun: string): string => `${group(n)} ${noun}${n === 1 ? '' : 's'}`

export const group = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

export const plain = (bytes: number): string =>
  bytes < 1024
    ? count(bytes, 'byte')
    : bytes < 1 << 20
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / (1 << 20)).toFixed(1)} MiB`
