// Tests lie beside the code. `--mode full` picks the long campaigns (*.full.test.ts) instead of the everyday ones.
import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  test: {
    include:
      mode === 'full' ? ['{packages/*/src,scripts}/**/*.full.test.ts'] : ['{packages/*/src,scripts}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/fixtures/**', ...(mode === 'full' ? [] : ['**/*.full.test.ts'])],
    testTimeout: mode === 'full' ? 600_000 : 15_000,
    hookTimeout: mode === 'full' ? 120_000 : 15_000,
    passWithNoTests: true,
    sequence: { seed: 1 },
    env: { TZ: 'UTC', NO_COLOR: '1' },
  },
}))
