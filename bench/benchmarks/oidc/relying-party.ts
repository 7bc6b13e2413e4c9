import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { fromBuild } from '../../harness/built-library.js'
import type { RunningService } from '../../harness/service.js'
import { type BenchUser, registerUsers } from '../../harness/users.js'

type EnvelopeModule = typeof import('../../../server/src/platform/crypto/envelope.js')
type RandomModule = typeof import('../../../server/src/platform/crypto/random.js')
type SigningKeyId = import('../../../server/src/platform/ids.js').SigningKeyId

export const ALGORITHMS = ['RS256', 'ES256'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

/** An application, asked under the form of its issuer that signs with its own key where it has one: `{team}/{application}`. */
export interface RelyingParty {
  id: string
  clientId: string
  secret: string
  /** Path of the issuer. */
  idp: string
}

export interface Team {
  owner: BenchUser
  /** Members, each with a live session. */
  people: { userId: string; sessionId: string }[]
  parties: Record<Algorithm, RelyingParty>
}

export const REDIRECT_URI = 'https://rp.example/callback'
export const SCOPE = 'openid profile email offline_access'
/** What an application may do by its own credentials. */
export const OWN_SCOPE = 'api:read'

export const VERIFIER = randomBytes(32).toString('base64url')
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

const PEOPLE = 100
const ORIGIN = (service: RunningService) => `http://127.0.0.1:${service.port}`

/** A team of some people with two applications: one signs with the team's first key (RS256), one with an ES256 key of its own. */
export async function makeTeam(service: RunningService, build: URL, encryptionKey: Buffer): Promise<Team> {
  const users = await registerUsers(service, PEOPLE)
  const [owner] = users
  if (!owner) throw new Error('nobody was registered')
  const ids = users.map(({ id }) => id)
  await service.sql(
    `INSERT INTO memberships SELECT (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'user_id', u.id, 'role', 'MEMBER'))).*
     FROM memberships m, unnest($2::uuid[]) u(id) WHERE m.user_id = $1`,
    [owner.id, ids.slice(1)],
  )
  const people = await service.sql<Team['people'][number]>(
    `SELECT user_id AS "userId", id AS "sessionId" FROM sessions WHERE kind = 'session' AND user_id = ANY($1)`,
    [ids],
  )
  const parties = { RS256: await register(service, owner), ES256: await register(service, owner) }
  // The team's first key is made when it is first asked for.
  await read(service, `${parties.RS256.idp}/jwks`)
  await giveOwnKey(service, parties.ES256, build, encryptionKey)
  return { owner, people, parties }
}

async function register(service: RunningService, { accessToken }: BenchUser): Promise<RelyingParty> {
  const answer = await fetch(`${ORIGIN(service)}/api/v1/applications`, {
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
  if (answer.status !== 201) throw new Error(`the application was not registered: ${await answer.text()}`)
  const { id, teamId, clientId, clientSecret } = (await answer.json()) as Record<string, string>
  return {
    id: String(id),
    clientId: String(clientId),
    secret: String(clientSecret),
    idp: `/api/v1/sso/oidc-idp/${teamId}/${id}`,
  }
}

/** What no route does yet: a default key of an application's own, written as `key-store.ts` writes the team's. */
async function giveOwnKey(service: RunningService, { id: application }: RelyingParty, build: URL, key: Buffer) {
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

/** A document of the service. */
export async function read(service: RunningService, path: string): Promise<unknown> {
  const answer = await fetch(`${ORIGIN(service)}${path}`)
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  return answer.json()
}

/** The entity tag of a document of the service. */
export const tagOf = async (service: RunningService, path: string): Promise<string | undefined> =>
  (await fetch(`${ORIGIN(service)}${path}`)).headers.get('etag') ?? undefined

/** The whole way of a person to a code: authorize, consent, back. */
export async function codeFor(service: RunningService, { idp, clientId }: RelyingParty, user: BenchUser) {
  const asked = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: SCOPE,
    state: 'state',
    nonce: 'nonce',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  })
  const begun = await fetch(`${ORIGIN(service)}${idp}/authorize?${asked}`, { redirect: 'manual' })
  const page = new URL(begun.headers.get('location') ?? 'none:')
  const confirmed = await fetch(`${ORIGIN(service)}${idp}/interaction/${page.searchParams.get('uid')}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ consent: true }),
  })
  const { redirectTo } = (await confirmed.json()) as { redirectTo: string }
  const code = new URL(redirectTo).searchParams.get('code')
  if (!code) throw new Error(`no code came back: ${redirectTo}`)
  return code
}
