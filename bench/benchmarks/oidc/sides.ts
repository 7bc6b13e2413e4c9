import { type Child, startChild } from '../../harness/child.js'
import { connect, type Exchange, exchangeOn, requestBytes } from '../../harness/http-load.js'
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
} from './relying-party.js'
import {
  type Asked,
  askedOf,
  documentRequest,
  exchangeRequest,
  introspectRequest,
  ownCredentialsRequest,
  refreshRequest,
  userinfoRequest,
} from './requests.js'
import type { Stock } from './stock.js'

/** What is compared, on each of the three sides: the service, its floor, and the engine alone. */
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
  { name: 'userinfo', kind: 'userinfo', algorithm: 'ES256' },
  { name: 'discovery', kind: 'discovery', algorithm: 'ES256' },
  { name: 'jwks', kind: 'jwks', algorithm: 'ES256' },
] as const satisfies { name: string; kind: string; algorithm: Algorithm }[]

export type Operation = (typeof OPERATIONS)[number]

/** A side makes the load of an operation. */
export type Side = (operation: Operation) => Load

export const CONNECTIONS = 16
/** Codes and refresh tokens made beforehand, for each second of a batch: more than any side uses up. */
const STOCK_A_SECOND = 2_500
const ACCESS_TOKENS = 1_000
/** Requests before figures count. */
const WARM_UP = 2_000

const endless = (request: Buffer) => () => ({ request, status: 200 })
const cycling = (requests: Buffer[]) => walk(requests.map((request) => ({ request, status: 200 })))

/**
 * Each of what `make` gives is used once; a batch that uses up all of it ends early.
 * @param keep what a batch has left over is still good in the next one
 */
function usedUp(make: (count: number) => Promise<string[]>, request: (token: string) => Buffer, keep: boolean) {
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

/** The service itself. */
export async function serviceSide(
  service: RunningService,
  team: Team,
  stocks: Record<Algorithm, Stock>,
): Promise<Side> {
  const accessTokens = await freshAccessTokens(service, team.parties.ES256, stocks.ES256)
  const { database, settle } = service
  return ({ kind, algorithm }) => {
    const party = team.parties[algorithm]
    const asked = askedOf(party)
    const load = { child: service, database, connections: CONNECTIONS, warmUp: WARM_UP }
    const introspections = (client?: Asked['client']) =>
      cycling(accessTokens.map((token) => introspectRequest('/api/v1/oauth/introspect', token, client)))
    switch (kind) {
      case 'code':
        return { ...load, settle, ...usedUp(stocks[algorithm].codes, (code) => exchangeRequest(asked, code), true) }
      case 'refresh':
        return {
          ...load,
          settle,
          ...usedUp(stocks[algorithm].refreshTokens, (token) => refreshRequest(asked, token), true),
        }
      case 'client_credentials':
        return { ...load, settle, next: endless(ownCredentialsRequest(asked)) }
      case 'introspection':
        return { ...load, next: introspections() }
      case 'introspection, Basic':
        return { ...load, next: introspections(asked.client) }
      case 'userinfo':
        return { ...load, next: cycling(accessTokens.map((token) => userinfoRequest(`${party.idp}/userinfo`, token))) }
      case 'discovery':
        return { ...load, next: endless(documentRequest(`${party.idp}/.well-known/openid-configuration`)) }
      case 'jwks':
        return { ...load, next: endless(documentRequest(`${party.idp}/jwks`)) }
    }
  }
}

/** Access tokens as the service gives them, of as many grants. */
async function freshAccessTokens(service: RunningService, party: RelyingParty, stock: Stock): Promise<string[]> {
  const codes = await stock.codes(ACCESS_TOKENS)
  // As a database that has been in use for a minute.
  await service.sql('ANALYZE')
  const tokens: string[] = []
  const socket = await connect(service.port)
  for (const code of codes)
    await exchangeOn(socket, {
      request: exchangeRequest(askedOf(party), code),
      status: 200,
      answered: (text) => tokens.push((JSON.parse(text) as { access_token: string }).access_token),
    })
  socket.destroy()
  await service.settle()
  return tokens
}

/** The floor, on the database of a service whose documents it answers with. */
export async function floorSide(
  service: RunningService,
  { parties }: Team,
  build: URL,
): Promise<{ child: Child; side: Side }> {
  if (!service.database) throw new Error('the floor is for PostgreSQL')
  const program = new URL('../../children/oidc-floor.mjs', import.meta.url)
  const child = await startChild(program, build, { DATABASE_URL: service.database.url })
  const { idp } = parties.ES256
  await child.ask('documents', {
    discovery: await read(service, `${idp}/.well-known/openid-configuration`),
    jwks: await read(service, `${idp}/jwks`),
  })
  const stock = await child.ask<{ opaque: string; access: string }[]>('stock')
  const load = { child, database: service.database, connections: CONNECTIONS, warmUp: WARM_UP }
  const introspections = cycling(stock.map(({ access }) => introspectRequest('/introspect', access)))
  const side: Side = ({ kind, algorithm }) => {
    const asked: Asked = { ...askedOf(parties[algorithm]), tokenPath: `/${algorithm}/token` }
    switch (kind) {
      case 'code':
        return { ...load, next: cycling(stock.map(({ opaque }) => exchangeRequest(asked, opaque))) }
      case 'refresh':
        return { ...load, next: cycling(stock.map(({ opaque }) => refreshRequest(asked, opaque))) }
      case 'client_credentials':
        return { ...load, next: endless(ownCredentialsRequest(asked)) }
      case 'introspection':
      case 'introspection, Basic':
        return { ...load, next: introspections }
      case 'userinfo':
        return { ...load, next: cycling(stock.map(({ access }) => userinfoRequest('/userinfo', access))) }
      case 'discovery':
      case 'jwks':
        return { ...load, next: endless(requestBytes({ method: 'GET', path: `/${kind}` })) }
    }
  }
  return { child, side }
}

/** The engine alone, in a process for each algorithm. */
export async function engineSide(
  { parties, owner, people }: Team,
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
  const accounts = people.map(({ userId }) => userId)
  const side: Side = ({ kind, algorithm }) => {
    const child = children[algorithm]
    const load = { child, connections: CONNECTIONS, warmUp: WARM_UP }
    const asked: Asked = { ...askedOf(parties[algorithm]), tokenPath: '/token' }
    const make = (made: string) => (count: number) => child.ask<string[]>('stock', { kind: made, count, accounts })
    // Opaque tokens, which it looks up; they are made again for each batch and used again within it.
    const reading = (request: (token: string) => Buffer): Load => {
      let next = endless(Buffer.alloc(0))
      return {
        ...load,
        prepare: async () => {
          next = cycling((await make('access')(ACCESS_TOKENS)).map(request))
        },
        next: () => next(),
      }
    }
    switch (kind) {
      case 'code':
        return { ...load, ...usedUp(make('code'), (code) => exchangeRequest(asked, code), false) }
      case 'refresh':
        return { ...load, ...usedUp(make('refresh'), (token) => refreshRequest(asked, token), false) }
      case 'client_credentials':
        return { ...load, next: endless(ownCredentialsRequest(asked)) }
      case 'introspection':
      case 'introspection, Basic':
        return reading((token) => introspectRequest('/token/introspection', token, asked.client))
      case 'userinfo':
        return reading((token) => userinfoRequest('/me', token))
      case 'discovery':
        return { ...load, next: endless(documentRequest('/.well-known/openid-configuration')) }
      case 'jwks':
        return { ...load, next: endless(documentRequest('/jwks')) }
    }
  }
  return { children: Object.values(children), side }
}
