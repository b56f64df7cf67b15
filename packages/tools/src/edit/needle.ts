// What is looked for in a file, and one place where it stands.

/** One place. `old` has as many lines as the matched text; `fit` says how a new line is written there. */
export interface Match {
  /** Offsets in the view. */
  readonly start: number
  readonly end: number
  readonly old: string
  readonly new: string
  /** `undefined`: this new line cannot be placed here, so the place is no candidate. */
  readonly fit: (line: string) => string | undefined
}

export interface Needle {
  /** With LF endings. */
  readonly old: string
  readonly new: string
}
