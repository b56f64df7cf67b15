// A process of its own that owns a socket: what a test stops, freezes and kills.
import { serveSocket } from './serve.ts'

const served = await serveSocket(async (request) => {
  const { pathname } = new URL(request.url)
  return new Response(pathname === '/health/live' ? '{"ok":true}' : 'here')
}, process.argv[2] ?? '')
process.stdout.write(`${served.path}\n`)
