import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Journeys through a real browser and the real service. Each worker has one browser and one service, for all its files. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.e2e.ts'],
    globalSetup: './global-setup.ts',
    pool: 'forks',
    // Each has a database and a browser: more would need gigabytes.
    maxWorkers: Math.min(availableParallelism(), 4),
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
