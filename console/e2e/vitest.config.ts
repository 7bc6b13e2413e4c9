import { defineConfig } from 'vitest/config'

/** Journeys through a real browser and the real service, one file at a time: all of them share one service. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.e2e.ts'],
    globalSetup: './service.ts',
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
