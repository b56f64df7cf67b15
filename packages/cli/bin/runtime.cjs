'use strict'
// Finds the runtime this product pins and runs a command on it in place of this process. Shared by the launcher beside
// it and by scripts/node.cjs; both must parse on any Node from 12, so that an old one can say what to do.
const { spawn } = require('child_process')
const { constants } = require('os')
const path = require('path')
const { isatty } = require('tty')

/** Absolute path of the pinned node binary, undefined where no package for this platform is installed. */
function findRuntime() {
  try {
    return path.join(
      path.dirname(require.resolve(`node-${process.platform}-${process.arch}/package.json`)),
      'bin',
      'node',
    )
  } catch {
    return undefined
  }
}

/**
 * Runs `node` with `args` on this terminal and ends as it ends: same exit code, 128+n when signal n killed it.
 * SIGTERM and SIGHUP are passed on. SIGINT only without a terminal: there Ctrl-C already reaches the whole process
 * group, and a second one would mean "stop now" to the child.
 */
function relaunch(node, args, env = process.env) {
  // The pipe carries nothing: it closes when this process dies, however it dies, and the child then stops (watchLauncher).
  const child = spawn(node, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...env, TENON_LAUNCHER: '3' },
  })
  const onTerminal = [0, 1, 2].some((fd) => isatty(fd))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !onTerminal) child.kill(signal)
    })
  }
  child.on('error', (error) => {
    process.stderr.write(`cannot run ${node}: ${error.message}\n`)
    process.exit(127)
  })
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}

/** In the child of a launcher: its end, also by kill -9, is a SIGTERM here. */
function watchLauncher() {
  if (process.env.TENON_LAUNCHER !== '3') return
  delete process.env.TENON_LAUNCHER
  try {
    const pipe = new (require('net').Socket)({ fd: 3, readable: true, writable: false })
    pipe.on('error', () => undefined)
    pipe.on('close', () => process.kill(process.pid, 'SIGTERM'))
    pipe.resume()
    pipe.unref()
  } catch {
    // No such descriptor: started by something that only passed the variable on.
  }
}

module.exports = { findRuntime, relaunch, watchLauncher }
