import { defineConfig } from 'vitest/config'

/** What they test is the embedded database, whatever DATABASE_URL says: once is enough. */
const EMBEDDED_ALONE = ['src/platform/db/embedded/**', 'test/graceful-stop.test.ts']
/** They touch no database: once is enough where another run takes them. */
const WITHOUT_DATABASE = ['src/protocols/**']

export default defineConfig({
  test: {
    exclude: [
      ...(process.env.DATABASE_URL ? EMBEDDED_ALONE : []),
      ...(process.env.KEYWARD_TEST_WITH_DATABASE_ONLY ? WITHOUT_DATABASE : []),
    ],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/reset-between-files.ts'],
    // Each file has a service and a database of its own. The program is loaded once a worker, not once a file, which took a third
    // of the time.
    isolate: false,
  },
})
