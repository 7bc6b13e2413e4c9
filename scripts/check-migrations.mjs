// Fails when the tables in the sources say something that no migration does.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

// Inside the workspace, because the generator takes a path relative to it.
const folder = mkdtempSync(join('server', '.migrations-'))
try {
  cpSync('server/migrations', folder, { recursive: true })
  const before = readdirSync(folder).length
  const { status, stdout, stderr } = spawnSync('../node_modules/.bin/drizzle-kit', ['generate'], {
    cwd: 'server',
    encoding: 'utf8',
    env: { ...process.env, MIGRATIONS_OUT: folder.replace('server/', './') },
  })
  if (readdirSync(folder).length !== before)
    throw new Error('The tables have changed: run npm run db:generate, read the migration, commit it.')
  // The generator also ends with 0 when it could not ask what it had to ask: whether a column was renamed.
  if (status !== 0 || !stdout.includes('No schema changes')) throw new Error(`${stdout}${stderr}`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
