// Fails if the table definitions contain a change without a migration.
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
  // The generator also exits with 0 if it needs to ask whether a column was renamed and has no terminal.
  if (status !== 0 || !stdout.includes('No schema changes')) throw new Error(`${stdout}${stderr}`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
