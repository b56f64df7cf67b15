// Who this process is, and whether another one still lives: pid, its start time and the boot, read from /proc.
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export interface ProcessFacts {
  readonly pid: number
  /** Start of the process in ticks since boot: tells a reused pid apart. 0 where the system does not say. */
  readonly pidStart: number
  /** Id of this boot and of the pid namespace: pids of two containers mean nothing to each other. */
  readonly boot: string
  readonly host: string
}

export function ownFacts(): ProcessFacts {
  return { pid: process.pid, pidStart: startOf(process.pid) ?? 0, boot: bootId(), host: hostname() }
}

/** Whether that process runs on this machine now; `undefined` when this machine cannot tell. */
export function isAlive(facts: ProcessFacts, own: ProcessFacts = ownFacts()): boolean | undefined {
  if (facts.host !== own.host) return undefined
  if (facts.boot !== own.boot) return isSameBoot(facts.boot, own.boot) ? undefined : false
  if (facts.pidStart === 0) return hasProcess(facts.pid)
  return startOf(facts.pid) === facts.pidStart
}

const isSameBoot = (a: string, b: string): boolean => a.split('/')[0] === b.split('/')[0]

function bootId(): string {
  return `${orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())}/${orEmpty(() => readlinkSync('/proc/self/ns/pid'))}`
}

/** Field 22 of /proc/PID/stat; `undefined` when there is no such process or it is a zombie. */
function startOf(pid: number): number | undefined {
  const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The command in parentheses may hold blanks and parentheses: count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const state = fields[0] ?? ''
  return stat === '' || state === 'Z' || state === 'X' ? undefined : Number(fields[19])
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function orEmpty(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
