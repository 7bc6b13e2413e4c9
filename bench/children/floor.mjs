// The floor of a session check: a bare Fastify route that returns JSON after one prepared read by primary key, without a join,
// through the same driver and the same number of connections as the service.
import { createRequire } from 'node:module'
import { serveParent } from './answer-parent.mjs'

// The libraries of the service.
const fromServer = createRequire(new URL('package.json', process.env.BENCH_BUILD))
const { fastify } = fromServer('fastify')
const pg = fromServer('pg')

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20, application_name: 'keyward-floor' })
const name = 'floor'
const text = 'SELECT id, email, first_name, last_name, status, created_at FROM users WHERE id = $1'

const app = fastify()
app.get('/users/:id', async (request) => {
  const { rows } = await pool.query({ name, text, values: [request.params.id] })
  return rows[0]
})
await app.listen({ port: 0, host: '127.0.0.1' })

serveParent({ close: () => app.close().then(() => pool.end()) })
process.send({ port: app.server.address().port })
