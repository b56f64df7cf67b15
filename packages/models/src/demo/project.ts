// The demo's scratch project as data: a small Node package with one seeded bug and the test that shows it. The story in
// story.ts knows these very files.

/** Stands in the project's files and in the demo's prompt; requests that show it get the story. */
export const demoMarker = 'tenon-demo-cart'

/** What `tenon demo` sends when the person types nothing. */
export const demoPrompt = `A test of ${demoMarker} fails. Find out why and fix it.`

/** The line with the bug, and what it has to be. */
export const demoFix = {
  path: 'src/cart.js',
  before: '  return lines.reduce((sum, line) => sum + line.price, 0)',
  after: '  return lines.reduce((sum, line) => sum + line.price * line.quantity, 0)',
} as const

/** Files to write into an empty folder: relative path → text. Needs Node ≥ 20, no install and no network. */
export const demoProject: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "${demoMarker}",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  'README.md': `# ${demoMarker}

The scratch project of \`tenon demo\`: a shopping cart of a dozen lines with one bug in it.

- \`src/cart.js\` adds up a cart.
- \`test/cart.test.js\` says what it has to come to. Run it with \`npm test\`.

Nothing here is precious: change it, break it, delete the folder.
`,
  'AGENTS.md': `# ${demoMarker}

Run the tests with \`node --test\`. No dependencies, no build.
`,
  'src/cart.js': `// Prices are in cents, so that sums are exact.

/** What all lines of a cart cost together. */
export function total(lines) {
${demoFix.before}
}

/** Total after a discount in percent, rounded to whole cents. */
export function discounted(lines, percent) {
  return Math.round((total(lines) * (100 - percent)) / 100)
}
`,
  'test/cart.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discounted, total } from '../src/cart.js'

const tea = { name: 'tea', price: 450, quantity: 1 }
const cups = { name: 'cup', price: 700, quantity: 4 }

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0)
})

test('a line counts as often as its quantity says', () => {
  assert.equal(total([tea, cups]), 3250)
})

test('a discount is rounded to whole cents', () => {
  assert.equal(discounted([tea], 33), 302)
})
`,
}
