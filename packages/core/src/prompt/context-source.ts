// Port: what a host adds to the system prompt: the environment, the instruction files.
import type { Block } from '@tenon/protocol'

export interface ContextFacts {
  readonly cwd: string
  readonly model: string
}

export interface ContextSource {
  /** Blocks frozen for the session, in their order. Reads files; never throws for a missing one. */
  blocks(facts: ContextFacts): Promise<readonly Block[]>
}
