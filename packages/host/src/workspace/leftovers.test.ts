import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { isAlive } from './descendants.ts'
import { endLeftovers } from './leftovers.ts'
import { createLocalWorkspace } from './local.ts'

test('what a session left running is ended by its mark, and nothing of another session', async () => {
  const spawn = (session: string) =>
    createLocalWorkspace('/tmp', { env: { ...process.env, TENON_JOB: session } }).spawn({
      argv: ['bash', '-c', 'setsid sleep 30 & sleep 30'],
      cwd: '/tmp',
      joined: true,
    })
  const [dead, other] = await Promise.all([spawn('ses_dead'), spawn('ses_other')])
  await delay(200)
  const ended = await endLeftovers('ses_dead')
  expect(ended.length).toBeGreaterThanOrEqual(3)
  expect([ended.includes(dead.pid), isAlive(dead.pid), isAlive(other.pid)]).toEqual([true, false, true])
  await other.kill()
})
