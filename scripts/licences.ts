// Which third-party libraries went into a bundle, and the page that names their licences.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Library = {
  readonly name: string
  readonly version: string
  readonly licence: string
  /** The licence file as published; empty where the library carries none. */
  readonly text: string
}

/** Libraries behind the module paths of a bundle, sorted by name. */
export function librariesOf(modules: readonly string[]): readonly Library[] {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
  return [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { name, version, licence: license ?? 'unknown', text: licenceText(folder) }
  })
}

export function toLicenceList(libraries: readonly Library[]): string {
  const sections = libraries.map(
    ({ name, version, licence, text }) => `## ${name} ${version} (${licence})${text ? `\n\n${text}` : ''}`,
  )
  return `${['# Third-party software in this package', ...sections].join('\n\n')}\n`
}

function licenceText(folder: string): string {
  const file = existsSync(folder) && readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  return file ? readFileSync(join(folder, file), 'utf8').trim() : ''
}
