// Is anybody there? Tells a living owner from a frozen one and from a socket file that a dead process left.
import { request } from 'node:http'

/** `answers`: a server replied. `silent`: somebody listens and says nothing (a stopped process). `absent`: nobody listens. */
export type Presence = 'answers' | 'silent' | 'absent'

/** @param limitMs how long silence is borne. Never rejects. */
export function probeSocket(path: string, limitMs = 2000): Promise<Presence> {
  return new Promise((resolve) => {
    const probe = request({ socketPath: path, path: '/health/live', agent: false }, (response) => {
      response.resume()
      finish('answers')
    })
    const timer = setTimeout(() => finish('silent'), limitMs)
    const finish = (presence: Presence) => {
      clearTimeout(timer)
      resolve(presence)
      probe.destroy()
    }
    // What cannot be connected to is absent; what breaks off later was there and is now gone: absent as well.
    probe.on('error', () => finish('absent'))
    probe.end()
  })
}
