// Generated files that are committed: `npm run generate` writes them, the check refuses when they differ from what the
// sources would give. To add one, add an entry to `generated`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toApiList } from './api.ts'
import { generatedPages } from './docs.ts'
import { readSources, root } from './source.ts'

const generated: Readonly<Record<string, () => string>> = {
  'docs/api.md': () => toApiList(readSources()),
  ...generatedPages,
}

/** Paths of generated files that are missing or stale. */
export function findDrift(): readonly string[] {
  return Object.entries(generated).flatMap(([path, generate]) => (read(path) === generate() ? [] : [path]))
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return undefined
  }
}

if (import.meta.main && process.argv.includes('--write')) {
  for (const path of findDrift()) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), generated[path]?.() ?? '')
    console.log(`wrote ${path}`)
  }
}
