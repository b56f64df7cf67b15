// Where servers of one wire format differ, as data: what a quirk row may say.

export interface Quirks {
  /** The cap is called `max_completion_tokens`. */
  readonly completionTokens?: boolean
  /** No temperature, top_p or stop words. */
  readonly noSampling?: boolean
  /** No stop words. */
  readonly noStop?: boolean
  /** The system text has role `developer`. */
  readonly developerRole?: boolean
  /** Usage cannot be asked for in a stream: it is estimated. */
  readonly noStreamUsage?: boolean
  /** Content is one string: images become notes. */
  readonly stringContent?: boolean
  /** One call a reply; `parallel_tool_calls` is refused or must be off. */
  readonly noParallelCalls?: boolean
  /** The field in which own reasoning goes back; `think` puts it into the text, `none` leaves it out. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning' | 'think' | 'none'
  /** `<think>…</think>` in the text is reasoning. */
  readonly thinkTags?: boolean
  /** How an effort is said in a chat request. */
  readonly effortField?: 'reasoning_effort' | 'reasoning' | 'thinking' | 'enable_thinking' | 'none'
  /** The efforts that are taken; another is moved to the nearest. */
  readonly efforts?: readonly string[]
  /** `prompt_cache_key` is taken. */
  readonly cacheKey?: boolean
  /** Call ids are nine letters or digits. */
  readonly shortIds?: boolean
  /** Tool schemas without references, unions at the top and rarer words. */
  readonly plainSchema?: boolean
  /** Calls of another model must carry the provider's stand-in for a signature. */
  readonly signedCalls?: boolean
}
