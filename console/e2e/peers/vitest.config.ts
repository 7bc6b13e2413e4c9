import { defineConfig } from 'vitest/config'

/** Tests of the service with third-party programs of Debian, in a browser and with TLS. */
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
