// tool.*: verdict, start and the one result of every call.
import { z } from 'zod'
import { type Immutable, json } from '../json.ts'
import { access, blob, callRef, resource, resultPart } from '../shape.ts'
import { branch, ledger } from './kind.ts'

export const verdict = z.enum(['allow', 'ask', 'deny'])
export type Verdict = z.infer<typeof verdict>

export const judgeStage = z.enum(['guard', 'hook', 'rule', 'mode', 'analyzer', 'person', 'harness', 'noAnswerer'])
export type JudgeStage = z.infer<typeof judgeStage>

export const decidedBy = z.object({
  stage: judgeStage,
  id: z.string(),
  rule: z.string().optional(),
  file: z.string().optional(),
  line: z.int().optional(),
})
export type DecidedBy = Immutable<z.infer<typeof decidedBy>>

export const toolKind = z.enum(['run', 'ask', 'emit'])
export type ToolKind = z.infer<typeof toolKind>

export const toolStatus = z.enum(['ok', 'error', 'denied', 'cancelled', 'unknown'])
export type ToolStatus = z.infer<typeof toolStatus>

export const toolEvents = {
  'tool.judged': ledger(
    z.object({
      ref: callRef,
      verdict,
      decidedBy,
      parts: z.array(z.object({ text: z.string().optional(), access: access.optional(), verdict, by: z.string() })),
      trail: z.array(z.object({ stage: judgeStage, verdict: verdict.optional(), id: z.string() })),
      reasons: z.array(z.string()),
      inputHash: z.string(),
      /** The input that will run. */
      input: json,
      repairs: z.array(z.string()),
      /** What `next` needs to order calls: how the tool runs and the lock keys of this input. */
      kind: toolKind,
      resources: z.array(resource),
      timeoutMs: z.int(),
    }),
  ),
  'tool.started': branch(
    z.object({
      ref: callRef,
      input: json,
      inputHash: z.string(),
      wire: z.object({ name: z.string(), id: z.string().optional() }),
      repairs: z.array(z.string()),
      resources: z.array(resource),
      timeoutMs: z.int(),
      secrets: z.array(z.string()),
    }),
  ),
  'tool.finished': branch(
    z.object({
      ref: callRef,
      status: toolStatus,
      /** Why a result of status ok or error needs no `tool.started`: the call was asked, pure, or could not run. */
      unstarted: z.enum(['ask', 'emit', 'invalid']).optional(),
      content: z.array(resultPart),
      digest: z.string().optional(),
      raw: blob.optional(),
      /** Characters shown of the total. */
      shown: z.int(),
      total: z.int(),
      ms: z.int(),
      exit: z.int().optional(),
      structured: json.optional(),
      /** Files whose whole text `content` shows. */
      seen: z.array(z.object({ path: z.string(), sha256: z.string() })).optional(),
      /** For the model only · for a person only. */
      hint: z.string().optional(),
      note: z.string().optional(),
    }),
  ),
}
