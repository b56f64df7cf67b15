// Opens the session in the folder given, answers one message, and prints time and memory. A process of its own for bench/ring.ts.
import { readFileSync } from 'node:fs'
import { ModelFailure, openSession } from '@tenon/core'
import { createFileBlobs, createFileLog, createLocalWorkspace } from '@tenon/host'
import { createFold, emptyRun } from '@tenon/projections'
import { coreTools } from '@tenon/tools'
import { sha256 } from './long-log.ts'

const dir = process.argv[2] ?? '.'
const log = createFileLog({ session: 'ses_bench', dir })
const before = performance.now()
const fold = createFold(sha256)
let state = emptyRun
const lease = await log.claim({
  visit: (group) => {
    state = group.reduce(fold, state)
  },
})
const session = await openSession(
  {
    log,
    blobs: createFileBlobs({ dir }),
    models: { resolve: () => Promise.reject(new ModelFailure('internal', 'no model here')) },
    tools: coreTools,
    workspace: await createLocalWorkspace('/tmp'),
    context: { blocks: async () => [] },
    clock: { now: () => Date.now(), random: () => Math.random(), until: () => new Promise(() => undefined) },
    hash: sha256,
    host: { os: 'linux', version: '0', home: '/root' },
    build: '',
    folded: state,
    onAsk: 'deny',
  },
  lease,
)
const ms = performance.now() - before
globalThis.gc?.()
await new Promise((resolve) => setTimeout(resolve, 200))
globalThis.gc?.()
const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
const status = readFileSync('/proc/self/status', 'utf8')
const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
console.log(
  JSON.stringify({
    events: session.durable() + 1,
    openMs: Math.round(ms),
    rssMb: Math.round(rss / 1e6),
    heapMb: Math.round(heapUsed / 1e6),
    totalMb: Math.round(heapTotal / 1e6),
    extMb: Math.round((external + arrayBuffers) / 1e6),
    peakMb: Math.round(peak),
  }),
)
await session.close()
process.exit(0)
