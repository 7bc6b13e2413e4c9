import { defineConfig } from 'vitest/config'

/** Journeys through a real browser and the real service. One file at a time: the machine is small, a browser is not. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.e2e.ts'],
    globalSetup: './global-setup.ts',
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
