import { defineConfig } from 'vitest/config'

/** Journeys through a real browser and the real service. Two files at a time, each worker with a browser and a service of its own. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.e2e.ts'],
    globalSetup: './global-setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
