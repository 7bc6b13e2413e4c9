// The floor of the OpenID Connect provider endpoints: bare Fastify routes with only the work that every implementation needs, the
// round trips to the database and the signatures. Libraries, driver and number of connections are those of the service.
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign, verify } from 'node:crypto'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { serveParent } from './answer-parent.mjs'

const fromServer = createRequire(new URL('package.json', process.env.BENCH_BUILD))
const { fastify } = fromServer('fastify')
const pg = fromServer('pg')

const TOKENS = 1_000
/** The entity tag of the documents. */
const TAG = '"floor"'
const ISSUER = 'http://localhost:3000/floor'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20, application_name: 'keyward-floor' })
await pool.query(`
  CREATE TABLE floor_tokens (hash bytea PRIMARY KEY, payload jsonb NOT NULL, created_at timestamptz NOT NULL);
  CREATE TABLE floor_entries (id uuid PRIMARY KEY, action text NOT NULL, metadata jsonb NOT NULL, created_at timestamptz NOT NULL)`)

const lock = { name: 'lock', text: 'SELECT payload, created_at FROM floor_tokens WHERE hash = $1 FOR NO KEY UPDATE' }
const read = { name: 'read', text: 'SELECT payload, created_at FROM floor_tokens WHERE hash = $1' }
const write = { name: 'write', text: 'INSERT INTO floor_tokens (hash, payload, created_at) VALUES ($1, $2, $3)' }
const note = {
  name: 'note',
  text: 'INSERT INTO floor_entries (id, action, metadata, created_at) VALUES ($1, $2, $3, $4)',
}

const hashOf = (token) => createHash('sha256').update(token).digest()
const newToken = () => randomBytes(32).toString('base64url')
const seconds = () => Math.floor(Date.now() / 1_000)

const signAway = promisify(sign)
const KEYS = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
}
/** Signs with RSA on another thread, as the service does. */
const SIGN = {
  RS256: (input) => signAway('sha256', Buffer.from(input), { key: KEYS.RS256.privateKey }),
  ES256: (input) => sign('sha256', Buffer.from(input), { key: KEYS.ES256.privateKey, dsaEncoding: 'ieee-p1363' }),
}
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
async function jwt(alg, claims) {
  const input = `${encode({ typ: 'JWT', kid: 'floor', alg })}.${encode(claims)}`
  return `${input}.${(await SIGN[alg](input)).toString('base64url')}`
}

const userClaims = { email: 'user@example.com', email_verified: true, updated_at: seconds() }
const claimsOf = (extra) => ({
  iss: ISSUER,
  sub: randomUUID(),
  aud: ISSUER,
  client_id: 'floor',
  iat: seconds(),
  exp: seconds() + 3_600,
  ...extra,
})

const stock = await Promise.all(
  Array.from({ length: TOKENS }, async () => {
    const opaque = newToken()
    const access = await jwt('ES256', claimsOf({ jti: opaque, scope: 'openid profile email offline_access' }))
    const revoked = await jwt('ES256', claimsOf({ jti: newToken(), scope: 'openid profile email offline_access' }))
    return { opaque, access, revoked }
  }),
)
for (const { opaque } of stock) await pool.query({ ...write, values: [hashOf(opaque), claimsOf({}), new Date()] })

/** Exchanges a code or refresh token for three new tokens. */
async function exchange(alg, form) {
  const token = form.get('code') ?? form.get('refresh_token')
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const { rows } = await client.query({ ...lock, values: [hashOf(token)] })
    if (rows.length === 0) throw new Error('unknown token')
    const successor = newToken()
    const now = new Date()
    await client.query({ ...write, values: [hashOf(successor), rows[0].payload, now] })
    await client.query({ ...note, values: [randomUUID(), 'token_issued', { grantType: form.get('grant_type') }, now] })
    const claims = claimsOf({ jti: newToken(), scope: 'openid profile email offline_access' })
    const access = await jwt(alg, claims)
    const id = await jwt(alg, { ...claims, ...userClaims })
    await client.query('COMMIT')
    return {
      access_token: access,
      expires_in: 3_600,
      id_token: id,
      refresh_token: successor,
      scope: claims.scope,
      token_type: 'Bearer',
    }
  } finally {
    client.release()
  }
}

/** Issues one token for the client credentials grant. */
async function ownToken(alg, form) {
  const { rows } = await pool.query({ ...read, values: [hashOf(stock[0].opaque)] })
  if (rows.length === 0) throw new Error('unknown client')
  await pool.query({
    ...note,
    values: [randomUUID(), 'token_issued', { grantType: form.get('grant_type') }, new Date()],
  })
  const claims = claimsOf({ jti: newToken(), scope: form.get('scope') })
  return { access_token: await jwt(alg, claims), expires_in: 3_600, scope: claims.scope, token_type: 'Bearer' }
}

/** Returns the claims of a token with a valid signature that is in the database, otherwise undefined. */
async function verifyToken(token) {
  const [header, body, signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  const key = { key: KEYS.ES256.publicKey, dsaEncoding: 'ieee-p1363' }
  if (!verify('sha256', Buffer.from(`${header}.${body}`), key, Buffer.from(signature, 'base64url')))
    throw new Error('forged')
  const { rows } = await pool.query({ ...read, values: [hashOf(claims.jti)] })
  return rows.length === 0 ? undefined : claims
}

/** Returns the payload of an opaque token. */
const find = async (token) => (await pool.query({ ...read, values: [hashOf(token)] })).rows[0]?.payload

let documents = {}
const app = fastify()
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
  done(null, new URLSearchParams(text)),
)
for (const alg of ['RS256', 'ES256']) {
  app.post(`/${alg}/token`, ({ body }) =>
    body.get('grant_type') === 'client_credentials' ? ownToken(alg, body) : exchange(alg, body),
  )
}
app.post('/introspect', async ({ body }) => {
  const token = body.get('token')
  const known = token.includes('.') ? await verifyToken(token) : await find(token)
  return known ? { active: true, ...known } : { active: false }
})
app.get('/userinfo', async ({ headers }) => {
  const { sub } = await verifyToken(headers.authorization.slice('Bearer '.length))
  return { sub, ...userClaims }
})
for (const name of ['discovery', 'jwks'])
  app.get(`/${name}`, async ({ headers }, reply) => {
    reply.header('etag', TAG)
    if (headers['if-none-match'] !== TAG) return documents[name]
    return reply.code(304).send()
  })
await app.listen({ port: 0, host: '127.0.0.1' })

serveParent({
  stock: () => stock,
  documents: (given) => {
    documents = given
  },
  close: () => app.close().then(() => pool.end()),
})
process.send({ port: app.server.address().port })
