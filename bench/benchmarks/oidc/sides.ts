import { randomBytes } from 'node:crypto'
import { type Child, startChild } from '../../harness/child.js'
import { connect, type Exchange, exchangeOn } from '../../harness/http-load.js'
import type { Load } from '../../harness/measure.js'
import type { RunningService } from '../../harness/service.js'
import { walk } from '../../harness/users.js'
import {
  ALGORITHMS,
  type Algorithm,
  CHALLENGE,
  OWN_SCOPE,
  REDIRECT_URI,
  type RelyingParty,
  read,
  SCOPE,
  type Team,
  tagOf,
} from './relying-party.js'
import {
  documentRequest,
  exchangeRequest,
  introspectRequest,
  ownCredentialsRequest,
  refreshRequest,
  revokeRequest,
  type TokenEndpoint,
  tokenEndpointOf,
  userinfoRequest,
} from './requests.js'
import type { Stock } from './stock.js'

/** The compared operations. Each runs on three sides: the service, its floor and the bare engine. */
export const OPERATIONS = [
  ...ALGORITHMS.flatMap((algorithm) =>
    (['code', 'refresh', 'client_credentials'] as const).map((kind) => ({
      name: `${kind} ${algorithm}`,
      kind,
      algorithm,
    })),
  ),
  { name: 'introspection', kind: 'introspection', algorithm: 'ES256' },
  { name: 'introspection with credentials', kind: 'introspection, Basic', algorithm: 'ES256' },
  { name: 'introspection of a revoked token', kind: 'introspection, revoked', algorithm: 'ES256' },
  { name: 'introspection of an unknown token', kind: 'introspection, unknown', algorithm: 'ES256' },
  { name: 'userinfo', kind: 'userinfo', algorithm: 'ES256' },
  { name: 'discovery', kind: 'discovery', algorithm: 'ES256' },
  { name: 'discovery, not modified', kind: 'discovery, 304', algorithm: 'ES256' },
  { name: 'jwks', kind: 'jwks', algorithm: 'ES256' },
  { name: 'jwks, not modified', kind: 'jwks, 304', algorithm: 'ES256' },
] as const satisfies { name: string; kind: string; algorithm: Algorithm }[]

export type Operation = (typeof OPERATIONS)[number]

/** Creates the load of an operation for one side. */
export type Side = (operation: Operation) => Load

export const CONNECTIONS = 16
/** Codes and refresh tokens prepared for each second of a batch: more than any side can use. */
const STOCK_A_SECOND = 2_500
const ACCESS_TOKENS = 1_000
/** The entity tag of the floor's documents. */
const FLOOR_TAG = '"floor"'
/** Number of requests before the measurement. */
const WARM_UP = 2_000

const endless =
  (request: Buffer, status = 200) =>
  () => ({ request, status })
const cycling = (requests: Buffer[]) => walk(requests.map((request) => ({ request, status: 200 })))

/**
 * Uses each token that `make` returns once. A batch that uses all of them ends early.
 * @param keep whether unused tokens stay valid for the next batch
 */
function usedOnce(make: (count: number) => Promise<string[]>, request: (token: string) => Buffer, keep: boolean) {
  let stock: string[] = []
  return {
    prepare: async (seconds: number) => {
      const left = keep ? stock : []
      const missing = Math.ceil(seconds * STOCK_A_SECOND) - left.length
      stock = missing > 0 ? [...left, ...(await make(missing))] : left
    },
    next: (): Exchange | undefined => {
      const token = stock.pop()
      return token === undefined ? undefined : { request: request(token), status: 200 }
    },
  }
}

/** The side of the service. */
export async function serviceSide(
  service: RunningService,
  team: Team,
  stocks: Record<Algorithm, Stock>,
): Promise<Side> {
  const accessTokens = await freshAccessTokens(service, team.parties.ES256, stocks.ES256)
  const revokedTokens = await freshAccessTokens(service, team.parties.ES256, stocks.ES256)
  await revokeAll(service, revokedTokens)
  const { idp } = team.parties.ES256
  const paths = { discovery: `${idp}/.well-known/openid-configuration`, jwks: `${idp}/jwks` }
  const tags = { discovery: await tagOf(service, paths.discovery), jwks: await tagOf(service, paths.jwks) }
  const { database, drain } = service
  return ({ kind, algorithm }) => {
    const party = team.parties[algorithm]
    const endpoint = tokenEndpointOf(party)
    const load = { child: service, database, connections: CONNECTIONS, warmUp: WARM_UP }
    const introspections = (tokens: string[], client?: TokenEndpoint['client']) =>
      cycling(tokens.map((token) => introspectRequest('/api/v1/oauth/introspect', token, client)))
    switch (kind) {
      case 'code':
        return { ...load, drain, ...usedOnce(stocks[algorithm].codes, (code) => exchangeRequest(endpoint, code), true) }
      case 'refresh':
        return {
          ...load,
          drain,
          ...usedOnce(stocks[algorithm].refreshTokens, (token) => refreshRequest(endpoint, token), true),
        }
      case 'client_credentials':
        return { ...load, drain, next: endless(ownCredentialsRequest(endpoint)) }
      case 'introspection':
        return { ...load, next: introspections(accessTokens) }
      case 'introspection, Basic':
        return { ...load, next: introspections(accessTokens, endpoint.client) }
      case 'introspection, revoked':
        return { ...load, next: introspections(revokedTokens) }
      case 'introspection, unknown':
        return { ...load, next: introspections(unknownTokens()) }
      case 'userinfo':
        return { ...load, next: cycling(accessTokens.map((token) => userinfoRequest(`${party.idp}/userinfo`, token))) }
      case 'discovery':
      case 'jwks':
        return { ...load, next: endless(documentRequest(paths[kind])) }
      case 'discovery, 304':
        return { ...load, next: endless(documentRequest(paths.discovery, tags.discovery), 304) }
      case 'jwks, 304':
        return { ...load, next: endless(documentRequest(paths.jwks, tags.jwks), 304) }
    }
  }
}

/** Creates tokens in the format of a refresh token that no grant contains. */
const unknownTokens = (): string[] => Array.from({ length: ACCESS_TOKENS }, () => randomBytes(32).toString('base64url'))

/** Obtains access tokens from the service, each of its own grant. */
async function freshAccessTokens(service: RunningService, party: RelyingParty, stock: Stock): Promise<string[]> {
  const codes = await stock.codes(ACCESS_TOKENS)
  // The query plans must not depend on whether autovacuum has already run.
  await service.sql('ANALYZE')
  const tokens: string[] = []
  const socket = await connect(service.port)
  for (const code of codes)
    await exchangeOn(socket, {
      request: exchangeRequest(tokenEndpointOf(party), code),
      status: 200,
      onBody: (text) => tokens.push((JSON.parse(text) as { access_token: string }).access_token),
    })
  socket.destroy()
  await service.drain()
  return tokens
}

async function revokeAll(service: RunningService, tokens: string[]): Promise<void> {
  const socket = await connect(service.port)
  for (const token of tokens)
    await exchangeOn(socket, { request: revokeRequest('/api/v1/oauth/revoke', token), status: 200 })
  socket.destroy()
  await service.drain()
}

/** The side of the floor. It uses the database of a service and serves its documents. */
export async function floorSide(
  service: RunningService,
  { parties }: Team,
  build: URL,
): Promise<{ child: Child; side: Side }> {
  if (!service.database) throw new Error('the floor is for PostgreSQL')
  const program = new URL('../../children/oidc-floor.mjs', import.meta.url)
  const child = await startChild(program, build, { DATABASE_URL: service.database.url })
  const { idp } = parties.ES256
  await child.call('documents', {
    discovery: await read(service, `${idp}/.well-known/openid-configuration`),
    jwks: await read(service, `${idp}/jwks`),
  })
  const stock = await child.call<{ opaque: string; access: string; revoked: string }[]>('stock')
  const load = { child, database: service.database, connections: CONNECTIONS, warmUp: WARM_UP }
  const introspections = (tokens: string[]) => cycling(tokens.map((token) => introspectRequest('/introspect', token)))
  const side: Side = ({ kind, algorithm }) => {
    const endpoint: TokenEndpoint = { ...tokenEndpointOf(parties[algorithm]), tokenPath: `/${algorithm}/token` }
    switch (kind) {
      case 'code':
        return { ...load, next: cycling(stock.map(({ opaque }) => exchangeRequest(endpoint, opaque))) }
      case 'refresh':
        return { ...load, next: cycling(stock.map(({ opaque }) => refreshRequest(endpoint, opaque))) }
      case 'client_credentials':
        return { ...load, next: endless(ownCredentialsRequest(endpoint)) }
      case 'introspection':
      case 'introspection, Basic':
        return { ...load, next: introspections(stock.map(({ access }) => access)) }
      case 'introspection, revoked':
        return { ...load, next: introspections(stock.map(({ revoked }) => revoked)) }
      case 'introspection, unknown':
        return { ...load, next: introspections(unknownTokens()) }
      case 'userinfo':
        return { ...load, next: cycling(stock.map(({ access }) => userinfoRequest('/userinfo', access))) }
      case 'discovery':
      case 'jwks':
        return { ...load, next: endless(documentRequest(`/${kind}`)) }
      case 'discovery, 304':
        return { ...load, next: endless(documentRequest('/discovery', FLOOR_TAG), 304) }
      case 'jwks, 304':
        return { ...load, next: endless(documentRequest('/jwks', FLOOR_TAG), 304) }
    }
  }
  return { child, side }
}

/** The side of the bare engine, with one process for each algorithm. */
export async function engineSide(
  { parties, owner, members }: Team,
  build: URL,
): Promise<{ children: Child[]; side: Side }> {
  const program = new URL('../../children/oidc-provider.mjs', import.meta.url)
  const start = (algorithm: Algorithm) => {
    const { clientId, secret, idp } = parties[algorithm]
    return startChild(program, build, {
      BENCH_ENGINE: JSON.stringify({
        issuer: `http://localhost:3000${idp}`,
        algorithm,
        client: { clientId, secret, ownScope: OWN_SCOPE },
        scope: SCOPE,
        redirectUri: REDIRECT_URI,
        codeChallenge: CHALLENGE,
        person: { email: owner.email, email_verified: false, updated_at: Math.floor(Date.now() / 1_000) },
      }),
    })
  }
  const children = { RS256: await start('RS256'), ES256: await start('ES256') }
  const accounts = members.map(({ userId }) => userId)
  const side: Side = ({ kind, algorithm }) => {
    const child = children[algorithm]
    const load = { child, connections: CONNECTIONS, warmUp: WARM_UP }
    const endpoint: TokenEndpoint = { ...tokenEndpointOf(parties[algorithm]), tokenPath: '/token' }
    const make = (made: string) => (count: number) => child.call<string[]>('stock', { kind: made, count, accounts })
    // Opaque tokens, which the engine looks up. Each batch creates new ones and uses them repeatedly.
    const reading = (request: (token: string) => Buffer, made = 'access'): Load => {
      let next = endless(Buffer.alloc(0))
      return {
        ...load,
        prepare: async () => {
          next = cycling((await make(made)(ACCESS_TOKENS)).map(request))
        },
        next: () => next(),
      }
    }
    const introspection = (token: string) => introspectRequest('/token/introspection', token, endpoint.client)
    switch (kind) {
      case 'code':
        return { ...load, ...usedOnce(make('code'), (code) => exchangeRequest(endpoint, code), false) }
      case 'refresh':
        return { ...load, ...usedOnce(make('refresh'), (token) => refreshRequest(endpoint, token), false) }
      case 'client_credentials':
        return { ...load, next: endless(ownCredentialsRequest(endpoint)) }
      case 'introspection':
      case 'introspection, Basic':
        return reading(introspection)
      case 'introspection, revoked':
        return reading(introspection, 'revoked')
      case 'introspection, unknown':
        return { ...load, next: cycling(unknownTokens().map(introspection)) }
      case 'userinfo':
        return reading((token) => userinfoRequest('/me', token))
      // The engine does not support conditional requests.
      case 'discovery':
      case 'discovery, 304':
        return { ...load, next: endless(documentRequest('/.well-known/openid-configuration')) }
      case 'jwks':
      case 'jwks, 304':
        return { ...load, next: endless(documentRequest('/jwks')) }
    }
  }
  return { children: Object.values(children), side }
}
