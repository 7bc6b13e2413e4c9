import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Journeys through a real browser and the real service. Each worker has one browser and one service, for all its files. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.e2e.ts'],
    globalSetup: './global-setup.ts',
    pool: 'forks',
    maxWorkers: availableParallelism(),
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
