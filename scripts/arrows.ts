// Checks the shape of the code: who may import whom, import cycles, one door a package, no Node below layer 3, sizes.
// The table is the one of docs/architecture; change it there first. Run alone: npm run check arrows.
import { dirname, join } from 'node:path'
import { findCycles } from './cycles.ts'
import type { Import, Sources } from './source.ts'
import { blank, importsOf, lineAt } from './source.ts'

const low = ['core', 'projections', 'protocol']
const views = ['client', 'projections', 'protocol']

/** What a package may import of the workspace. */
const arrows: Readonly<Record<string, readonly string[] | 'all'>> = {
  protocol: [],
  projections: ['protocol'],
  client: ['protocol', 'projections'],
  core: ['protocol', 'projections'],
  models: low,
  tools: low,
  host: low,
  cluster: low,
  testkit: low,
  server: low,
  acp: views,
  gateway: views,
  eval: views,
  tui: views,
  web: views,
  cli: 'all',
}

/** Packages without Node, with the third-party libraries they may use. */
const pure: Readonly<Record<string, readonly string[]>> = {
  protocol: ['zod'],
  projections: [],
  client: ['zod'],
  core: ['zod'],
}

const nodeGlobal =
  /(?<![.\w$])(?:globalThis\.)?(?:process\s*\.|Buffer\s*\.|__dirname|__filename|setImmediate\s*\(|require\s*\()/g
const ambient =
  /(?<![.\w$])(?:Date\.now\(|new Date\(\)|Math\.random\(|crypto\.(?:randomUUID|getRandomValues)\(|performance\.now\()/g

/** Every broken rule, as `path:line: what and why`. */
export function checkArrows(sources: Sources): readonly string[] {
  const problems: string[] = []
  const graph = new Map<string, readonly string[]>()
  for (const [path, text] of sources) {
    const imports = importsOf(text)
    graph.set(
      path,
      imports.flatMap((found) => toFile(path, found.specifier, sources) ?? []),
    )
    const report = (line: number, what: string) => problems.push(`${path}:${line}: ${what}`)
    for (const found of imports) checkImport(path, found, (what) => report(found.line, what))
    checkText(path, text, report)
  }
  return [...problems, ...findCycles(graph).map((files) => `import cycle: ${files.join(' → ')}`)]
}

/** Files past 400 lines whose header does not say why they are long: a warning, not a failure. */
export function longFiles(sources: Sources): readonly string[] {
  return [...sources].flatMap(([path, text]) => {
    const lines = text.split('\n').length - 1
    const header = /^(?:\s*\/\/[^\n]*\n|\s*\/\*[\s\S]*?\*\/)+/.exec(text)?.[0] ?? ''
    return lines > 400 && !/\b(long|lines|length)\b/i.test(header) ? [`${path}: ${lines} lines; is it two things?`] : []
  })
}

function checkImport(path: string, { specifier, all }: Import, report: (what: string) => void): void {
  const own = packageOf(path)
  const allowed = arrows[own] ?? []
  const test = isTest(path)
  if (all) report('`export *` hides the API; list the names')
  if (specifier.startsWith('.')) {
    if (!join(dirname(path), specifier).startsWith(`packages/${own}/src/`)) report(`${specifier} leaves the package`)
    return
  }
  const [, target, rest] = /^(?:@tenon\/([^/]+)|tenon(?=\/|$))(\/.*)?$/.exec(specifier) ?? []
  if (target || /^tenon(\/|$)/.test(specifier)) {
    if (rest) report(`${specifier} reaches inside a package; import its index`)
    const name = target ?? 'cli'
    if (!test && name !== own && allowed !== 'all' && !allowed.includes(name)) report(`${own} may not import ${name}`)
    return
  }
  const libraries = pure[own]
  if (test || !libraries) return
  if (specifier.startsWith('node:')) report(`${own} has no Node: ${specifier}`)
  else if (!libraries.includes(specifier.replace(/^(@[^/]+\/[^/]+|[^/]+).*/, '$1')))
    report(`${own} may use ${libraries.join(', ') || 'no library'}, not ${specifier}`)
}

function checkText(path: string, text: string, report: (line: number, what: string) => void): void {
  const own = packageOf(path)
  const code = blank(text, true)
  const find = (pattern: RegExp, what: (name: string) => string) => {
    for (const match of code.matchAll(pattern))
      report(lineAt(text, match.index), what(match[0].replace(/[\s.(]+$/, '')))
  }
  if (isTest(path))
    find(/\bvi\.(?:doMock|mock)\(/g, () => 'module mocks are not used: build a small real double in testkit')
  if (isTest(path) || !(own in pure)) return
  find(nodeGlobal, (name) => `${own} has no Node: ${name}`)
  if (own !== 'client') find(ambient, (name) => `${own} takes time, randomness and ids from their port, not ${name}`)
}

function toFile(from: string, specifier: string, sources: Sources): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  const index = `packages/${/^@tenon\/([^/]+)/.exec(specifier)?.[1]}/src/index.ts`
  return sources.has(index) ? index : undefined
}

const packageOf = (path: string): string => path.split('/')[1] ?? ''
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path)
