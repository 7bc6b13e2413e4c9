import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isRepeatedOnDatabase, skipOtherTests } from './gate-database.js'

/** These tests use the embedded database regardless of DATABASE_URL, so they run only once. */
const EMBEDDED_ALONE = [
  'src/platform/db/embedded/**',
  'test/cross-cutting/graceful-stop.test.ts',
  'test/documentation/**',
]
const testFiles = (): string[] =>
  ['src', 'test'].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.startsWith('protocols/'))
      .map((name) => `${folder}/${name}`),
  )

const gateOnDatabase = (): string[] =>
  testFiles().filter((file) => isRepeatedOnDatabase(join(import.meta.dirname, file)))

/** Skips the tests of these files that the gate does not repeat on PostgreSQL. */
const gateTests: Plugin = {
  name: 'gate-tests',
  enforce: 'pre',
  transform: (source, id) => (id.endsWith('.test.ts') ? { code: skipOtherTests(id, source), map: null } : undefined),
}

const SOURCES = join(import.meta.dirname, 'src')
const BUILT = join(import.meta.dirname, 'dist')

/**
 * Tests import the built program in place of its sources. Node loads it in a second; the runner would translate a thousand files,
 * in each worker anew.
 */
const builtProgram: Plugin = {
  name: 'built-program',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.')) return
    const path = relative(SOURCES, resolve(dirname(importer), source))
    if (path.startsWith('..')) return
    const built = join(BUILT, path)
    return existsSync(built) ? { id: built, external: true } : undefined
  },
}

/** Folders with files of ten seconds and more. They run first, because the run would otherwise wait at its end for a worker that began one late. */
const LONGEST = [
  'test/cross-cutting/',
  'src/platform/db/embedded/',
  'src/features/ldap/sync/',
  'src/features/user-management/import/',
]

/** Orders the files by the seed, except that the longest run first. */
class SeededOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (file: TestSpecification): string => {
      const path = relative(import.meta.dirname, file.moduleId)
      const isLong = LONGEST.some((start) => path.startsWith(start))
      return `${isLong ? 0 : 1} ${createHash('sha256').update(`${this.ctx.config.sequence.seed} ${path}`).digest('hex')}`
    }
    const places = new Map(files.map((file) => [file, place(file)]))
    return [...files].sort((a, b) => ((places.get(a) ?? '') < (places.get(b) ?? '') ? -1 : 1))
  }
}

export default defineConfig({
  plugins: process.env.KEYWARD_TEST_GATE_DATABASE ? [builtProgram, gateTests] : [builtProgram],
  test: {
    exclude: process.env.DATABASE_URL ? EMBEDDED_ALONE : [],
    include: process.env.KEYWARD_TEST_GATE_DATABASE ? gateOnDatabase() : ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    pool: 'forks',
    // By default the engine optimizes most of PostgreSQL while the first file starts, which then takes a second longer.
    execArgv: ['--wasm-tiering-budget=20000000'],
    // More than cores, because many tests wait: for a directory that does not respond, for a process to start, for PostgreSQL, where the second
    // nodes use the time.
    maxWorkers: availableParallelism() + (process.env.DATABASE_URL ? 1 : 2),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/harness/reset-between-files.ts'],
    server: { deps: { external: [/\/server\/dist\//] } },
    // Each file has a service of its own. The harness is loaded once a worker, not once a file.
    isolate: false,
    sequence: { sequencer: SeededOrder },
  },
})
