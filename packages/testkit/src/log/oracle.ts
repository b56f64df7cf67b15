// What must hold of every read, kept outside the log: acknowledged events are there, shown ones never vanish.
import assert from 'node:assert/strict'
import type { Group, LogContents } from '@tenon/core'

/** What was promised when a read began. */
interface Mark {
  readonly promised: number
}

export interface LogOracle {
  acknowledge(group: Group): void
  mark(): Mark
  /** Throws unless the contents keep every promise made before `mark`; what settled contents show is promised from now on. */
  check(who: string, mark: Mark, contents: LogContents, from?: number): void
  /** Seqs that any later read must show. */
  promised(): readonly number[]
  idOf(seq: number): string | undefined
}

export function createLogOracle(): LogOracle {
  const promises: { readonly seq: number; readonly id: string; readonly why: string }[] = []
  const bySeq = new Map<number, string>()

  function promise(seq: number, id: string, why: string): void {
    const known = bySeq.get(seq)
    assert.equal(known ?? id, id, `${why}: seq ${seq} has two events`)
    if (known !== undefined) return
    bySeq.set(seq, id)
    promises.push({ seq, id, why })
  }

  return {
    acknowledge(group) {
      for (const { seq, id } of group) promise(seq, id, 'acknowledged')
    },
    mark: () => ({ promised: promises.length }),
    check(who, mark, contents, from = 0) {
      const events = contents.groups.flat()
      assert.ok(contents.whole, `${who}: ${contents.notices.map(({ text }) => text).join('; ')}`)
      for (const [index, { seq }] of events.entries()) assert.equal(seq, from + index, `${who}: not in order, or a gap`)
      const ids = new Map(events.map(({ seq, id }) => [seq, id]))
      assert.equal(new Set(ids.values()).size, events.length, `${who}: an event twice`)
      for (const { seq, id, why } of promises.slice(0, mark.promised))
        if (seq >= from) assert.equal(ids.get(seq), id, `${who}: lost seq ${seq} (${why})`)
      if (contents.notices.some(({ kind }) => kind === 'unsettled')) return
      for (const { seq, id } of events) promise(seq, id, `shown to ${who}`)
    },
    promised: () => [...bySeq.keys()],
    idOf: (seq) => bySeq.get(seq),
  }
}
