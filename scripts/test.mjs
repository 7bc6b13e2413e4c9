// `npm test`: builds what is stale (tests run the built program too), then runs the tests of both workspaces, and says in one line
// each what this machine cannot run. `--long` takes the full counts of the crash and property tests. `--with-database-only`, for a
// second run on another database, leaves out what touches none.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { buildStale } from './build-stale.mjs'

const long = process.argv.includes('--long')
const withDatabaseOnly = process.argv.includes('--with-database-only')
const rest = process.argv.slice(2).filter((argument) => !['--long', '--with-database-only'].includes(argument))
buildStale()

const env = {
  ...process.env,
  ...(long && { KEYWARD_LONG: '1' }),
  ...(withDatabaseOnly && { KEYWARD_TEST_WITH_DATABASE_ONLY: '1' }),
  FORCE_COLOR: '0',
}
const run = (folder) =>
  spawnSync('node', ['../node_modules/vitest/vitest.mjs', 'run', ...rest], {
    cwd: folder,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  }).status === 0
const results = withDatabaseOnly ? [run('server')] : [run('server'), run('console')]

const skipped = [
  withDatabaseOnly && 'Left out: the tests of server/src/protocols and of the console, which touch no database.',
  !process.env.DATABASE_URL &&
    'Skipped: the same tests on PostgreSQL, and those of two nodes (set DATABASE_URL to run them there instead of on the embedded database).',
  'Skipped: browser tests (npm run test:e2e, needs Chromium' +
    (existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium') ? ', which is here).' : ', which is not here).'),
  !long &&
    'Shortened: 8 kill points a crash test and 2,000 cases a property (npm run test:long takes the full counts).',
]
for (const line of skipped) if (line) console.log(line)
process.exit(results.every(Boolean) ? 0 : 1)
