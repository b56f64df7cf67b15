// The version of this build, from the package's own description.
import { createRequire } from 'node:module'

interface Description {
  readonly version: string
}

// Beside `src` in the repository and beside `dist` in the release lies the same file. The cast names what it holds.
export const version = (createRequire(import.meta.url)('../package.json') as Description).version
