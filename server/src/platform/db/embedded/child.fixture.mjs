// A separate process for the tests: starts the database and prints its progress. Plain JavaScript, so that it is neither a test file
// nor part of the build.
//   node child.fixture.mjs hold <dataDir> <template>    locks the folder until it is killed; runs from the sources
//   node child.fixture.mjs write <dataDir> <template>   inserts n = max + 1, max + 2, … and prints each acknowledged n
//   node child.fixture.mjs start <dataDir> <template>   starts, then waits to be killed
import pg from 'pg'

const [mode, dataDir, templateDir] = process.argv.slice(2)
if (mode === 'hold') (await import('tsx/esm/api')).register()
const { startEmbeddedDatabase } = await import(
  mode === 'hold' ? './embedded-database.ts' : '../../../../dist/platform/db/embedded/embedded-database.js'
)
const print = (line) => process.stdout.write(`${line}\n`)
print('starting')
const database = await startEmbeddedDatabase({ dataDir, templateDir, log: { info() {} } })
if (mode === 'write') {
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query('CREATE TABLE IF NOT EXISTS written (n int PRIMARY KEY, pad text UNIQUE)')
  let { n } = (await client.query('SELECT coalesce(max(n), 0) AS n FROM written')).rows[0]
  print('ready')
  for (;;) {
    n += 1
    await client.query('BEGIN')
    await client.query({ name: 'w', text: 'INSERT INTO written VALUES ($1, md5($1::int::text))', values: [n] })
    await client.query('COMMIT')
    print(n)
  }
}
print('ready')
setInterval(() => {}, 1_000)
