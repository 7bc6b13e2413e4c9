import { defineConfig } from 'vitest/config'

/** Journeys between the real service and programs of others that Debian packages, through a real browser, all over TLS. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.peer.ts'],
    globalSetup: './global-setup.ts',
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
})
