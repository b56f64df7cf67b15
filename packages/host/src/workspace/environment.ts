// The environment of spawned processes: no keys, a mark by which descendants are found.

/** Names whose values must not reach a command: a prompt could print them. */
const keyLike = /_API_KEY$|_TOKEN$|SECRET|^TENON_(?!JOB$)/i

/** Marks kept of the processes around us, so that an outer owner still finds what we start. */
const maxMarks = 8

/**
 * @param mark unique for this process tree; `TENON_JOB` holds it, after the marks that were there
 * @param added names to add; `undefined` removes one
 */
export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  added: Readonly<Record<string, string | undefined>>,
  mark: string,
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(base)) if (value !== undefined && !keyLike.test(name)) env[name] = value
  for (const [name, value] of Object.entries(added)) {
    if (value === undefined) delete env[name]
    else env[name] = value
  }
  const outer = (base.TENON_JOB ?? '').split(':').filter(Boolean)
  env.TENON_JOB = [...outer.slice(-maxMarks + 1), mark].join(':')
  return env
}
