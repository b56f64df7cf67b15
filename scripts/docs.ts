// The documentation's generated part: pages made from schemas and tables, and pages with code taken from the sources.
// `npm run generate` writes them; the drift check refuses stale ones.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toCommandsPage, toEventsPage } from './docs-events.ts'
import { fillIncludes } from './docs-includes.ts'
import { toErrorsPage, toExitCodesPage, toSettingsPage } from './docs-tables.ts'
import { root } from './source.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Markdown files that people write: the root's and those of docs. */
export function writtenPages(): readonly string[] {
  const folders = ['.', 'docs', 'docs/decisions'].filter((folder) => existsSync(join(root, folder)))
  return folders
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.md'))
    .sort()
}

/** Path → what the file must hold. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'docs/events.md': toEventsPage,
  'docs/commands.md': toCommandsPage,
  'docs/settings.md': toSettingsPage,
  'docs/errors.md': toErrorsPage,
  'docs/exit-codes.md': toExitCodesPage,
  ...Object.fromEntries(
    writtenPages()
      .filter((path) => read(path).includes('<!-- include '))
      .map((path) => [path, () => fillIncludes(read(path), read)]),
  ),
}
