// One page of a log as JSON text: each event is turned into text once, the page is bounded by count and bytes.
import type { Session } from '@tenon/core'

const byteLimit = 1024 * 1024
/** How many events one request looks at for a filter before it answers what it has. */
const lookLimit = 5000

interface PageQuery {
  readonly from: number
  /** Only events with a lower seq. */
  readonly before: number | undefined
  readonly limit: number
  readonly types: readonly string[] | undefined
}

/** JSON of an `EventPage`. A page holds at least one event when there is one, whatever its size. */
export async function readPage(session: Session, { from, before, limit, types }: PageQuery): Promise<string> {
  const seq = session.durable()
  const end = Math.min(seq, before === undefined ? seq : before - 1)
  const items: string[] = []
  let bytes = 0
  let at = from
  const full = () => items.length >= limit || at - from >= lookLimit
  const chunk = types ? 500 : Math.min(limit, 500)
  page: while (at <= end && !full()) {
    for (const event of await session.read(at, Math.min(end, at + chunk - 1))) {
      if (!types || types.includes(event.type)) {
        const text = JSON.stringify(event)
        const size = Buffer.byteLength(text)
        if (items.length >= limit || (items.length > 0 && bytes + size > byteLimit)) break page
        items.push(text)
        bytes += size
      }
      at = event.seq + 1
    }
  }
  const next = at <= end ? `"s${at}"` : 'null'
  const partial = types && at <= end && items.length < limit ? ',"partial":true' : ''
  return `{"items":[${items.join(',')}],"next":${next},"seq":${seq}${partial}}`
}
