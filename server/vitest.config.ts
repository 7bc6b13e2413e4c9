import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/reset-clock.ts'],
    // Each file has a service and a database of its own. The program is loaded once a worker, not once a file, which took a third
    // of the time.
    isolate: false,
  },
})
