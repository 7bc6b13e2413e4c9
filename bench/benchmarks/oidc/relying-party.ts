import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { fromBuild } from '../../harness/built-library.js'
import type { RunningService } from '../../harness/service.js'
import { type BenchUser, registerUsers } from '../../harness/users.js'

type EnvelopeModule = typeof import('../../../server/src/platform/crypto/envelope.js')
type RandomModule = typeof import('../../../server/src/platform/crypto/random.js')
type SigningKeyId = import('../../../server/src/platform/ids.js').SigningKeyId

export const ALGORITHMS = ['RS256', 'ES256'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

/** An application, used under its own issuer `{team}/{application}`, which signs with the application's key if it has one. */
export interface RelyingParty {
  id: string
  clientId: string
  secret: string
  /** Path of the issuer. */
  idp: string
}

export interface Team {
  owner: BenchUser
  /** Members, each with an active session. */
  members: { userId: string; sessionId: string }[]
  parties: Record<Algorithm, RelyingParty>
}

export const REDIRECT_URI = 'https://rp.example/callback'
export const SCOPE = 'openid profile email offline_access'
/** The scope for the client credentials grant. */
export const OWN_SCOPE = 'api:read'

export const VERIFIER = randomBytes(32).toString('base64url')
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

const MEMBERS = 100
const ORIGIN = (service: RunningService) => `http://127.0.0.1:${service.port}`

/** Creates a team with members and two applications: one signs with the team's first key (RS256), the other with its own ES256 key. */
export async function makeTeam(service: RunningService, build: URL, encryptionKey: Buffer): Promise<Team> {
  const users = await registerUsers(service, MEMBERS)
  const [owner] = users
  if (!owner) throw new Error('no user was registered')
  const ids = users.map(({ id }) => id)
  await service.sql(
    `INSERT INTO memberships SELECT (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'user_id', u.id, 'role', 'MEMBER'))).*
     FROM memberships m, unnest($2::uuid[]) u(id) WHERE m.user_id = $1`,
    [owner.id, ids.slice(1)],
  )
  const members = await service.sql<Team['members'][number]>(
    `SELECT user_id AS "userId", id AS "sessionId" FROM sessions WHERE kind = 'session' AND user_id = ANY($1)`,
    [ids],
  )
  const parties = { RS256: await register(service, owner), ES256: await register(service, owner) }
  // The team's first key is created on first use.
  await read(service, `${parties.RS256.idp}/jwks`)
  await addOwnKey(service, parties.ES256, build, encryptionKey)
  return { owner, members, parties }
}

async function register(service: RunningService, { accessToken }: BenchUser): Promise<RelyingParty> {
  const response = await fetch(`${ORIGIN(service)}/api/v1/applications`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Bench',
      type: 'OIDC',
      redirectUris: [REDIRECT_URI],
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
      scopes: [...SCOPE.split(' '), OWN_SCOPE],
    }),
  })
  if (response.status !== 201) throw new Error(`the application was not registered: ${await response.text()}`)
  const { id, teamId, clientId, clientSecret } = (await response.json()) as Record<string, string>
  return {
    id: String(id),
    clientId: String(clientId),
    secret: String(clientSecret),
    idp: `/api/v1/sso/oidc-idp/${teamId}/${id}`,
  }
}

/** Stores a default key for the application, as `key-store.ts` stores that of a team. `POST …/signing-keys/generate` does the same over HTTP. */
async function addOwnKey(service: RunningService, { id: application }: RelyingParty, build: URL, key: Buffer) {
  const { createEnvelope } = await fromBuild<EnvelopeModule>(build, 'platform/crypto/envelope')
  const { uuidv7 } = await fromBuild<RandomModule>(build, 'platform/crypto/random')
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = uuidv7<SigningKeyId>({ ms: Date.now, now: () => new Date() })
  const kid = randomBytes(12).toString('base64url')
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  const sealed = createEnvelope([key]).seal(privateKey.export({ format: 'der', type: 'pkcs8' }), `signing-key:${id}`)
  await service.sql(
    `WITH bumped AS (
       UPDATE signing_key_sets s SET version = s.version + 1 FROM applications a
       WHERE a.id = $2 AND s.organization_id = a.organization_id RETURNING s.organization_id)
     INSERT INTO signing_keys (id, organization_id, application_id, kid, algorithm, public_jwk, sealed_private_key, is_default, use_for_access_tokens, created_at)
     SELECT $1, organization_id, $2, $3, 'ES256', $4, $5, true, false, now() FROM bumped`,
    [id, application, kid, JSON.stringify({ kty, kid, use: 'sig', alg: 'ES256', crv, x, y }), sealed],
  )
}

/** Fetches a document of the service. */
export async function read(service: RunningService, path: string): Promise<unknown> {
  const response = await fetch(`${ORIGIN(service)}${path}`)
  if (response.status !== 200) throw new Error(`${path} responded ${response.status}`)
  return response.json()
}

/** Fetches the entity tag of a document of the service. */
export const tagOf = async (service: RunningService, path: string): Promise<string | undefined> =>
  (await fetch(`${ORIGIN(service)}${path}`)).headers.get('etag') ?? undefined

/** Obtains a code for the user: authorization request, consent, redirect. */
export async function codeFor(service: RunningService, { idp, clientId }: RelyingParty, user: BenchUser) {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: SCOPE,
    state: 'state',
    nonce: 'nonce',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  })
  const started = await fetch(`${ORIGIN(service)}${idp}/authorize?${query}`, { redirect: 'manual' })
  const page = new URL(started.headers.get('location') ?? 'none:')
  const confirmed = await fetch(`${ORIGIN(service)}${idp}/interaction/${page.searchParams.get('uid')}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ consent: true }),
  })
  const { redirectTo } = (await confirmed.json()) as { redirectTo: string }
  const code = new URL(redirectTo).searchParams.get('code')
  if (!code) throw new Error(`no code in the redirect: ${redirectTo}`)
  return code
}
