// Port: name, schema, access, run. A tool is given a Workspace, a signal and an output sink, nothing else.
import type { Access, Blob, Json, Question, Resource, ResultPart, Todo } from '@tenon/protocol'
import type { z } from 'zod'
import type { Workspace } from './workspace.ts'

/** Where raw output goes: spooled whole to a blob, shown live. */
export interface Output {
  write(chunk: Uint8Array, stream?: 'out' | 'err'): Promise<void>
  progress(text: string, done?: number, total?: number): void
  /** Ends the raw output: the blob it was kept in (null when nothing was written) and every byte counted. Call it once. */
  finish(): Promise<{ readonly blob: Blob | null; readonly total: number }>
}

/** The workspace as a call sees it: only what was granted, every write recorded as `file.changed`. */
export interface ToolWorkspace extends Workspace {
  /** SHA-256 of the file's content as the model last saw it in this context, or `undefined` when it never did. */
  seen(realPath: string): string | undefined
  /** True for files that a deny rule keeps from the model: whoever lists or searches leaves them out. */
  hidden(realPath: string): boolean
}

export interface ToolContext {
  readonly workspace: ToolWorkspace
  readonly signal: AbortSignal
  readonly output: Output
}

export interface ToolResult {
  readonly status: 'ok' | 'error'
  readonly content: readonly ResultPart[]
  /** Machine-readable value for programs and `--json`. */
  readonly structured?: Json
  /** At most 200 characters: what stands for the content once it is masked. */
  readonly digest?: string
  /** Raw whole of what `content` shows a part of. */
  readonly raw?: Blob
  /** Characters shown of the total; absent when nothing was left out. */
  readonly shown?: number
  readonly total?: number
  readonly exit?: number
  /** Files whose whole text this result shows: from now on the model has seen that content. */
  readonly seen?: readonly { readonly path: string; readonly sha256: string }[]
  /** For a person only. */
  readonly note?: string
}

export interface Annotations {
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  readonly openWorld: boolean
}

interface ToolBase<S extends z.ZodObject> {
  /** Pascal case: the name in rules, hooks and the log. */
  readonly name: string
  readonly title: string
  /** Other names that a model may use for it. */
  readonly aliases: readonly string[]
  readonly description: string
  /** Input; a parameter whose schema has `meta({ hidden: true })` is accepted and not shown to the model. */
  readonly schema: S
  /** Other names of parameters → ours (camelCase is handled for all). */
  readonly parameterAliases: Readonly<Record<string, keyof z.infer<S> & string>>
  /** Parameters that hold paths: made absolute before judging. */
  readonly paths: readonly (keyof z.infer<S> & string)[]
  readonly annotations: Annotations
  /** Everything an input touches, statically; all of it is judged. */
  access(input: z.infer<S>, place: ToolPlace): readonly Access[]
  /** Lock keys; `file:` and `tree:` keys are resolved to real paths afterwards. */
  resources(input: z.infer<S>, place: ToolPlace): readonly Resource[]
  readonly timeoutMs: (input: z.infer<S>) => number
}

/** Where a call runs, known before it runs. */
export interface ToolPlace {
  readonly cwd: string
}

/** Touches the world. */
export interface RunTool<S extends z.ZodObject = z.ZodObject> extends ToolBase<S> {
  readonly kind: 'run'
  run(input: z.infer<S>, context: ToolContext): Promise<ToolResult>
}

/** Becomes an ask; the answer is its result. */
export interface AskTool<S extends z.ZodObject = z.ZodObject> extends ToolBase<S> {
  readonly kind: 'ask'
  toQuestions(input: z.infer<S>): { readonly title: string; readonly questions: readonly Question[] }
}

/** What a pure tool leads to, beside its result. */
export interface Emitted {
  readonly result: ToolResult
  readonly todos?: readonly Todo[]
}

/** Pure: state in, events out. */
export interface EmitTool<S extends z.ZodObject = z.ZodObject> extends ToolBase<S> {
  readonly kind: 'emit'
  emit(input: z.infer<S>, state: { readonly todos: readonly Todo[] }): Emitted
}

// A registry holds tools of many schemas; `any` is the one type that a schema-typed method can be stored under.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Tool = RunTool<any> | AskTool<any> | EmitTool<any>

/** Declares a tool; the schema types `run`, `access` and the rest. */
export function defineTool<S extends z.ZodObject>(tool: RunTool<S>): RunTool<S>
export function defineTool<S extends z.ZodObject>(tool: AskTool<S>): AskTool<S>
export function defineTool<S extends z.ZodObject>(tool: EmitTool<S>): EmitTool<S>
export function defineTool(tool: Tool): Tool {
  return tool
}
