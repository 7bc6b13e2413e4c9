import { createHash, randomBytes } from 'node:crypto'
import { fromBuild } from '../../harness/built-library.js'
import { connect, exchangeOn } from '../../harness/http-load.js'
import { Client, type PgClient } from '../../harness/server-library.js'
import type { RunningService } from '../../harness/service.js'
import { codeFor, type RelyingParty, type Team } from './relying-party.js'
import { codeRequest } from './requests.js'

type RandomModule = typeof import('../../../server/src/platform/crypto/random.js')

/** The rows of a grant and a token that the service has written, as JSON. */
interface Template {
  grant: Record<string, unknown>
  token: Record<string, unknown> & { payload: Record<string, unknown> }
}

/** Codes and refresh tokens without user interaction: copies of the rows of one real flow, written directly to the database. */
export interface Stock {
  codes(count: number): Promise<string[]>
  refreshTokens(count: number): Promise<string[]>
  close(): Promise<void>
}

const hashOf = (token: string): string => `\\x${createHash('sha256').update(token).digest('hex')}`

/** Copies all columns and replaces only those that identify a flow. */
const COPY = `WITH made AS (
    SELECT m.grant_id, m.hash, p.user_id, p.session_id FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY m(grant_id, hash, n)
    JOIN unnest($3::uuid[], $4::uuid[]) WITH ORDINALITY p(user_id, session_id, n) ON p.n = 1 + m.n % cardinality($3::uuid[])),
  given AS (
    INSERT INTO sessions SELECT (jsonb_populate_record(NULL::sessions,
      $5::jsonb || jsonb_build_object('id', grant_id, 'user_id', user_id, 'parent_id', session_id))).* FROM made)
  INSERT INTO oauth_tokens SELECT (jsonb_populate_record(NULL::oauth_tokens, $6::jsonb || jsonb_build_object(
    'hash', hash, 'grant_id', grant_id, 'consumed_at', NULL, 'successor_key_id', NULL,
    'created_at', now(), 'expires_at', now() + interval '1 hour',
    'payload', $6::jsonb -> 'payload' || jsonb_build_object(
      'grantId', grant_id, 'accountId', user_id, 'sessionUid', session_id, 'sid', session_id)))).* FROM made`

export async function openStock(service: RunningService, build: URL, team: Team, party: RelyingParty): Promise<Stock> {
  if (!service.database) throw new Error('the stock is for PostgreSQL')
  const { uuidv7 } = await fromBuild<RandomModule>(build, 'platform/crypto/random')
  const client = new Client({ connectionString: service.database.url })
  await client.connect()

  const code = await codeFor(service, party, team.owner)
  const codeTemplate = await templateOf(client, code)
  const socket = await connect(service.port)
  let refreshToken = ''
  await exchangeOn(socket, {
    request: codeRequest(party, code),
    status: 200,
    onBody: (text) => {
      refreshToken = (JSON.parse(text) as { refresh_token: string }).refresh_token
    },
  })
  socket.destroy()
  const refreshTemplate = await templateOf(client, refreshToken)

  const copies = async ({ grant, token }: Template, count: number): Promise<string[]> => {
    const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
    const grants = tokens.map(() => uuidv7<string>({ ms: Date.now, now: () => new Date() }))
    await client.query(COPY, [
      grants,
      tokens.map(hashOf),
      team.members.map(({ userId }) => userId),
      team.members.map(({ sessionId }) => sessionId),
      JSON.stringify(grant),
      JSON.stringify(token),
    ])
    return tokens
  }
  return {
    codes: (count) => copies(codeTemplate, count),
    refreshTokens: (count) => copies(refreshTemplate, count),
    close: () => client.end(),
  }
}

async function templateOf(client: PgClient, token: string): Promise<Template> {
  const { rows } = await client.query(
    `SELECT to_jsonb(g) AS grant, to_jsonb(t) AS token FROM oauth_tokens t JOIN sessions g ON g.id = t.grant_id WHERE t.hash = $1::bytea`,
    [hashOf(token)],
  )
  const [row] = rows
  if (!row) throw new Error('the service has not stored the token')
  return row as unknown as Template
}
