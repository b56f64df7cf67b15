// Finds the living processes of a group or a mark through /proc. Elsewhere (no /proc) only the group can be asked.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface Family {
  /** Process group, which is also the session and the first process. */
  readonly group: number
  readonly mark: string
  /** Name under which the family's output pipe was opened; a process that cleared its environment still holds it. */
  readonly pipe?: string
}

export interface Found {
  readonly pid: number
  readonly inGroup: boolean
}

/** Living members, zombies left out: a container's first process may never reap them. Synchronous: some 20 µs a process. */
export function findFamily(family: Family): readonly Found[] {
  const names = processes()
  if (!names) return family.group > 0 && isAlive(-family.group) ? [{ pid: family.group, inGroup: true }] : []
  return names.flatMap((name) => {
    const pid = Number(name)
    if (pid === process.pid) return []
    const stat = read(`/proc/${name}/stat`)
    // "pid (name, may hold blanks and brackets) state ppid pgrp …"
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (!state || state === 'Z' || state === 'X') return []
    const inGroup = Number(group) === family.group
    return inGroup || isMarked(name, family) ? [{ pid, inGroup }] : []
  })
}

function isMarked(name: string, family: Family): boolean {
  const environment = `\0${read(`/proc/${name}/environ`)}`
  const at = environment.indexOf('\0TENON_JOB=')
  if (at >= 0) {
    const marks = environment.slice(at + 11, environment.indexOf('\0', at + 1) >>> 0).split(':')
    if (marks.includes(family.mark)) return true
  }
  const { pipe } = family
  return pipe !== undefined && [1, 2].some((fd) => link(`/proc/${name}/fd/${fd}`).startsWith(pipe))
}

/** Has the process set SIGINT to be ignored? What a shell starts with `&` has. */
export function ignoresInterrupt(pid: number): boolean {
  const mask = /^SigIgn:\s*([0-9a-f]+)/m.exec(read(`/proc/${pid}/status`))?.[1]
  return mask !== undefined && (BigInt(`0x${mask}`) & 2n) !== 0n
}

function processes(): readonly string[] | undefined {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return undefined
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** `pid` below 0 asks for a group. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
