#!/usr/bin/env node
'use strict'
// The `tenon` command. Answers --version at once, moves to the pinned runtime when this Node is too old, then loads the
// command line: from source in the repository, from the bundle in the published package. Syntax of Node 12.
const fs = require('fs')
const os = require('os')
const path = require('path')

const floor = '22.19'

function main() {
  if (['--version', '-V', 'version'].includes(process.argv[2])) {
    process.stdout.write(`${require('../package.json').version}\n`)
    return
  }
  if (isRecent(process.versions.node)) {
    if (process.env.TENON_LAUNCHER) watchLauncher()
    load()
    return
  }
  const { findRuntime, relaunch } = require('./runtime.cjs')
  const node = findRuntime()
  if (node) {
    // A small space for young objects: a long log then opens in half the memory, and no slower (bench/ring.ts).
    relaunch(node, ['--max-semi-space-size=4', ...process.execArgv, __filename, ...process.argv.slice(2)])
    return
  }
  process.stderr.write(
    `tenon needs Node ${floor} or newer; this is ${process.version}.\n` +
      'Install a current Node (https://nodejs.org), or reinstall tenon without --omit=optional.\n',
  )
  process.exitCode = 1
}

/** Loaded only in the child of a launcher: what it costs is nobody else's. */
function watchLauncher() {
  const { watchLauncher: watch } = require('./runtime.cjs')
  watch()
}

function isRecent(version) {
  const [major, minor] = version.split('.').map(Number)
  const [lowMajor, lowMinor] = floor.split('.').map(Number)
  return major > lowMajor || (major === lowMajor && minor >= lowMinor)
}

function load() {
  const { enableCompileCache } = require('module')
  if (enableCompileCache) enableCompileCache(process.env.NODE_COMPILE_CACHE || path.join(cacheFolder(), 'compile'))
  const source = path.join(__dirname, '../src/main.ts')
  const entry = fs.existsSync(source) ? source : path.join(__dirname, '../dist/main.js')
  void import(require('url').pathToFileURL(entry).href)
}

/** The cache folder of `tenon paths`; compiled code is the one thing this file puts there. */
function cacheFolder() {
  const { TENON_HOME, XDG_CACHE_HOME } = process.env
  return TENON_HOME
    ? path.join(TENON_HOME, 'cache')
    : path.join(XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'tenon')
}

main()
