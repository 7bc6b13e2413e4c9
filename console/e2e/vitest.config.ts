import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** By name: the first file sets the service up, which can be done once. Vitest alone would start with what failed last. */
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files.toSorted((a, b) => a.moduleId.localeCompare(b.moduleId))
  }
}

/** Journeys through a real browser and the real service, one file at a time: all of them share one service. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.e2e.ts'],
    globalSetup: './service.ts',
    fileParallelism: false,
    sequence: { sequencer: ByName },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
