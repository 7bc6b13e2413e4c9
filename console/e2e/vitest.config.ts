import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests with a real browser and the real service. Each worker has one of each for all its files. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.e2e.ts'],
    globalSetup: './global-setup.ts',
    pool: 'forks',
    // At most four, because each worker has a database and a browser. One more than cores, because a worker often waits for a page.
    maxWorkers: Math.min(availableParallelism() + 1, 4),
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
