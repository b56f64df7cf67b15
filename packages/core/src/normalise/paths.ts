// Normalisation, step 5: a path as a model writes it → an absolute path. Pure: whether it exists is asked later.

export interface PathPlace {
  readonly cwd: string
  /** For `~`; absent: a leading `~` stays as it is. */
  readonly home?: string
}

/** Without quotes, `@`, outer blanks and `file://`; `~` and relative paths made absolute; `.` and `..` resolved as text. */
export function toAbsolutePath(written: string, place: PathPlace): string {
  let path = written.trim()
  path = /^(["'`])(.*)\1$/s.exec(path)?.[2]?.trim() ?? path
  if (/^blob:[0-9a-f]{64}$/.test(path)) return path
  if (/^file:\/\//i.test(path)) path = decode(path.replace(/^file:\/\/(localhost(?=\/))?/i, ''))
  // A real name may start with @ (`@types`): only a mention of a path with a folder or a dot is unwrapped.
  if (/^@(?:[./~]|[^/]+\.[^/]+$)/.test(path)) path = path.slice(1)
  if (place.home && (path === '~' || path.startsWith('~/'))) path = place.home + path.slice(1)
  return collapse(path.startsWith('/') ? path : `${place.cwd}/${path}`)
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function collapse(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
