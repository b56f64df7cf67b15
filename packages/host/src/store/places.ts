// Where Tenon keeps things: TENON_HOME moves every place, else the XDG directories, each under `tenon`.
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export interface Places {
  readonly config: string
  readonly data: string
  readonly cache: string
}

/** Reads nothing but its arguments; a relative XDG path is ignored, as its specification asks. */
export function createPlaces(
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
): Places {
  const own = env.TENON_HOME
  if (own) return { config: join(own, 'config'), data: join(own, 'data'), cache: join(own, 'cache') }
  const place = (variable: string, ...fallback: string[]) => {
    const base = env[variable]
    return join(base && isAbsolute(base) ? base : join(home, ...fallback), 'tenon')
  }
  return {
    config: place('XDG_CONFIG_HOME', '.config'),
    data: place('XDG_DATA_HOME', '.local', 'share'),
    cache: place('XDG_CACHE_HOME', '.cache'),
  }
}
