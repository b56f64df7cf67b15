// Runs a script on the runtime this repository pins, whatever Node the machine has: node scripts/node.cjs FILE [ARGS].
const path = require('path')
const { findRuntime, relaunch } = require('../packages/cli/bin/runtime.cjs')

const node = findRuntime() || process.execPath
const PATH = [path.dirname(node), process.env.PATH].join(path.delimiter)
const NODE_COMPILE_CACHE = path.join(__dirname, '../node_modules/.cache/compile')
relaunch(node, process.argv.slice(2), { ...process.env, PATH, NODE_COMPILE_CACHE })
