// `npm test`: builds stale parts (tests run the built program), runs the tests of the server and the console, and prints the slowest
// files and the skipped kinds of tests.
//
//   npm test -- server/src/features/groups   only these files or folders
//   npm test -- --long                       the full counts of crash, load and property tests
//   npm test -- --gate-database              on PostgreSQL, only tests that depend on it (see server/gate-database.ts)
//   npm test -- --shard 1/3                  a third of the files
//   npm test -- --seed 42                    the file order of an earlier run
//
// All other arguments are passed to Vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ALWAYS, buildStale } from './build-stale.mjs'
import { changedTests } from './changed-tests.mjs'
import { findChromium } from './find-chromium.mjs'
import { printSlowest } from './slowest-files.mjs'

const root = resolve(fileURLToPath(new URL('..', import.meta.url)))

/** The program as in a release. Complete runs start it instead of `server`. */
const PACKAGED = 'server with its packages'

/** The folder and configuration of each Vitest run, and the parts to build; all parts if `needs` is missing. */
const SUITES = {
  server: {
    folder: 'server',
    config: 'vitest.config.ts',
    files: /^server\/.*\.test\.ts$/,
    needs: ['modules of the server', 'server', 'database template', 'console'],
  },
  console: { folder: 'console', config: 'vitest.config.ts', files: /^console\/src\/.*\.test\.ts$/, needs: [] },
  browser: { folder: 'console', config: 'e2e/vitest.config.ts', files: /^console\/e2e\/[^/]*\.e2e\.ts$/ },
  interoperability: {
    folder: 'console',
    config: 'e2e/peers/vitest.config.ts',
    files: /^console\/e2e\/peers\/.*\.peer\.ts$/,
  },
  installation: {
    folder: 'deploy',
    config: 'test/vitest.config.ts',
    files: /^deploy\/test\/.*\.install\.ts$/,
    needs: ['database template', 'console', 'compressed files of the console'],
  },
}

const OPTIONS = {
  long: { type: 'boolean' },
  'gate-database': { type: 'boolean' },
  changed: { type: 'boolean' },
  since: { type: 'string' },
  browser: { type: 'boolean' },
  interoperability: { type: 'boolean' },
  installation: { type: 'boolean' },
  seed: { type: 'string' },
}

const { values, positionals, forwarded } = readArguments(process.argv.slice(2))
const seed = values.seed ?? process.env.KEYWARD_TEST_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
const isGateDatabase = values['gate-database'] ?? false
const runs = await planRuns()

if (runs.length === 0) {
  console.log('No test imports a changed file.')
  process.exit(0)
}
const isComplete = runs.some(({ suite, filters }) => suite === 'server' && filters.length === 0)
const needs = isComplete ? [PACKAGED] : []
for (const { suite } of runs) needs.push(...(SUITES[suite].needs ?? ALWAYS))
await buildStale({ only: [...new Set(needs)] })

const timings = process.env.KEYWARD_TEST_TIMINGS ?? mkdtempSync(join(tmpdir(), 'keyward-timings-'))
const env = {
  ...process.env,
  ...(values.long && { KEYWARD_LONG: '1' }),
  ...(isComplete && { KEYWARD_TEST_PACKAGED: '1' }),
  ...(isGateDatabase && { KEYWARD_TEST_GATE_DATABASE: '1' }),
  KEYWARD_TEST_TIMINGS: timings,
  KEYWARD_TEST_SEED: seed,
  FORCE_COLOR: '0',
}
console.log(`File order: --seed ${seed}`)
const results = runs.map(({ suite, filters }) => runVitest(SUITES[suite], filters))

if (!process.env.KEYWARD_TEST_TIMINGS) {
  printSlowest(timings)
  rmSync(timings, { recursive: true, force: true })
}
if (positionals.length === 0 && !values.changed) for (const line of skipped()) console.log(line)
process.exit(results.every(Boolean) ? 0 : 1)

/** Separates our options and the paths from the arguments for Vitest. Each Vitest option keeps its value. */
function readArguments(args) {
  const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, allowPositionals: true, tokens: true })
  const values = {}
  const positionals = []
  const forwarded = []
  const named = (token) => token.kind === 'option' && Object.hasOwn(OPTIONS, token.name)
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]
    if (named(token)) values[token.name] = token.value ?? true
    else if (token.kind === 'option')
      forwarded.push(token.inlineValue ? `${token.rawName}=${token.value}` : token.rawName)
    else if (token.kind === 'positional') {
      const isValue =
        before?.kind === 'option' && !named(before) && before.index === token.index - 1 && !existsSync(token.value)
      if (isValue) forwarded.push(token.value)
      else positionals.push(token.value)
    }
  }
  return { values, positionals, forwarded }
}

/** Returns the suites to run, each with its files or folders. */
async function planRuns() {
  if (values.browser) return [{ suite: 'browser', filters: positionals }]
  if (values.interoperability) return [{ suite: 'interoperability', filters: positionals }]
  if (values.installation) return [{ suite: 'installation', filters: positionals }]
  if (values.changed) return bySuite(await changedTests(root, values.since))
  if (positionals.length > 0)
    return bySuite(positionals.map((path) => relative(root, resolve(path)).replaceAll('\\', '/')))
  return (isGateDatabase ? ['server'] : ['server', 'console']).map((suite) => ({ suite, filters: [] }))
}

/** Returns the suites with their paths. A path is a file, a folder, or a part of the path of tests. */
function bySuite(paths) {
  const filters = new Map()
  for (const path of paths) {
    const exact = Object.keys(SUITES).filter((suite) => SUITES[suite].files.test(path))
    const suites = exact.length > 0 ? exact : existsSync(join(root, path)) ? suitesBelow(path) : suitesNaming(path)
    if (suites.length === 0) throw new Error(`No tests in ${path}.`)
    for (const suite of suites) filters.set(suite, [...(filters.get(suite) ?? []), path])
  }
  return Object.keys(SUITES)
    .filter((suite) => filters.has(suite))
    .map((suite) => ({ suite, filters: filters.get(suite) }))
}

/** Returns the suites with tests below a folder. */
function suitesBelow(path) {
  if (path.startsWith('deploy')) return ['installation']
  if (path.startsWith('console/e2e/peers')) return ['interoperability']
  if (path.startsWith('console/e2e')) return ['browser']
  return ['server', 'console'].filter((suite) => path === '' || `${path}/`.startsWith(`${suite}/`))
}

/** Returns the suites with a test whose path contains this part. */
function suitesNaming(part) {
  const isNamed = (suite, file) => SUITES[suite].files.test(file) && file.includes(part)
  return ['server', 'console'].filter((suite) =>
    ['src', 'test'].some((folder) => filesBelow(`${suite}/${folder}`).some((file) => isNamed(suite, file))),
  )
}

function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`.replaceAll('\\', '/'))
}

function runVitest({ folder, config }, filters) {
  // Vitest matches a filter against the path relative to the folder of its configuration.
  const local = filters.map((path) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path))
  const shared = [
    '--sequence.shuffle.files',
    `--sequence.seed=${seed}`,
    `--reporter=${join(root, 'scripts/slowest-files.mjs')}`,
  ]
  const args = [...local, '--config', config, '--reporter=default', ...shared, ...forwarded]
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...args], {
    cwd: join(root, folder),
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return status === 0
}

function isInstalled(command) {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

/** Returns one line for each skipped kind of tests. */
function skipped() {
  return [
    isGateDatabase && 'Left out: tests whose result does not depend on the database or on a second node.',
    !process.env.DATABASE_URL &&
      'Skipped: tests on PostgreSQL and with two nodes (set DATABASE_URL to run the suite there instead).',
    !['bash', 'curl', 'openssl'].every(isInstalled) &&
      'Skipped: examples of the documentation (they need bash, curl and openssl).',
    !values.browser &&
      !values.interoperability &&
      !values.installation &&
      `Skipped: browser tests (npm run test:e2e; ${findChromium() ? 'Chromium is installed' : 'needs Chromium'}).`,
    !values.long &&
      'Shortened: crash, load and property tests, examples of the documentation (npm run test:long runs the full counts).',
  ].filter(Boolean)
}
