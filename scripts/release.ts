// npm run build:release: bundles packages/cli into dist-release/tenon, a folder that `npm install` takes as it is.
// dist/main.js holds what every run needs; what is imported by import() becomes files of its own, loaded when needed.
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'rolldown'
import { type Library, librariesOf, toLicenceList } from './licences.ts'
import { root } from './source.ts'

/** Libraries that carry a program of their own: installed beside the bundle, not bundled. */
const external = ['@vscode/ripgrep']

const require = createRequire(import.meta.url)

/** Builds the package folder and returns its path. */
export async function buildRelease(folder = join(root, 'dist-release/tenon')): Promise<string> {
  const cli = join(root, 'packages/cli')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(cli, 'bin'), join(folder, 'bin'), { recursive: true })
  chmodSync(join(folder, 'bin/tenon.cjs'), 0o755)
  for (const name of ['README.md', 'LICENSE'])
    if (existsSync(join(root, name))) cpSync(join(root, name), join(folder, name))
  const libraries = await bundle(join(cli, 'src/main.ts'), join(folder, 'dist'))
  writeFileSync(join(folder, 'THIRD-PARTY.md'), toLicenceList(libraries))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  return folder
}

async function bundle(input: string, dir: string): Promise<readonly Library[]> {
  const { output } = await build({
    input: { main: input },
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    platform: 'node',
    cwd: root,
    logLevel: 'warn',
    output: { dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
  })
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  return librariesOf(modules)
}

/** package.json of the release, from those of the repository: versions are written once. */
function manifest(): object {
  const workspace = require('../package.json')
  const { name, version, description, license, type, bin, engines } = require('../packages/cli/package.json')
  const dependencies = Object.fromEntries(external.map((library) => [library, versionOf(library)]))
  const { optionalDependencies } = workspace
  return { name, version, description, license, type, bin, engines, dependencies, optionalDependencies }
}

const versionOf = (library: string): string => require(join(root, 'node_modules', library, 'package.json')).version

if (import.meta.main) console.log(`built ${await buildRelease()}`)
