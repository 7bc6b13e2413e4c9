import { defineConfig } from 'vitest/config'

/** Tests of what is installed outside of a clone: the npm package and the files in `deploy`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.install.ts'],
    globalSetup: './global-setup.ts',
    fileParallelism: false,
    testTimeout: 400_000,
    hookTimeout: 180_000,
  },
})
