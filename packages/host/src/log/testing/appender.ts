// For tests: a process that claims a log and appends without end. It prints `own TOKEN`, `ack SEQ COUNT` for each group
// that was acknowledged, and `lost CODE` when an append is refused. Arguments: directory, name of the writer.
import type { Group } from '@tenon/core'
import type { EventOf } from '@tenon/protocol'
import { createFileLog } from '../file-log.ts'

const [dir = '', writer = ''] = process.argv.slice(2)
/** Appends under way at once. */
const width = 6

const lease = await createFileLog({ session: 'ses_test', dir, segmentBytes: 200_000 }).claim({})
process.stdout.write(`own ${lease.token}\n`)
/** As testkit's `logGroup`, which a process that starts in a moment cannot load. */
const toGroup = (first: number, count: number): Group =>
  Array.from({ length: count }, (_, index): EventOf<'session.configured'> => {
    const seq = first + index
    const id = `ev_${writer}${String(seq).padStart(6, '0')}` as const
    const set = { title: `text of ${seq}` }
    return { v: 1, seq, id, at: 1, by: 'harness', type: 'session.configured', set, was: {}, source: 'flag' }
  })

let next = (lease.contents.groups.at(-1)?.at(-1)?.seq ?? -1) + 1

async function appendForEver(): Promise<void> {
  for (;;) {
    const group = toGroup(next, 1 + (next % 3))
    next += group.length
    await lease.append(group)
    process.stdout.write(`ack ${group[0]?.seq} ${group.length}\n`)
  }
}

try {
  await Promise.all(Array.from({ length: width }, appendForEver))
} catch (error) {
  process.stdout.write(`lost ${error instanceof Error && 'code' in error ? error.code : error}\n`)
}
