import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { ErrorTable } from '../app-error.js'
import type { Config } from '../config/config.js'
import { PLATFORM_ERRORS, rejection } from '../errors.js'
import {
  type Actor,
  type Authenticate,
  type AuthenticateScim,
  type Credentials,
  RESTRICTIONS,
  type Restriction,
  type ScimActor,
} from './actor.js'
import { LARGE_BODY, STANDARD_BODY } from './body-limits.js'
import { FormBody } from './form-body.js'
import { httpExchange } from './http-exchange.js'
import { originOf } from './http-server.js'
import { createLargeBodies } from './large-bodies.js'
import { referenceNamedSchemas } from './named-schemas.js'
import { OAUTH_ERRORS, OAuthProblem } from './oauth-dialect.js'
import { Problem } from './problem.js'
import type { Route, RouteContext, SentRequest } from './route.js'
import { SCIM_ERRORS, SCIM_MEDIA_TYPE, ScimProblem, scimDetailOf, scimMediaType, scimTypeOf } from './scim-dialect.js'
import { mediaTypesOf, StreamedAnswer, sendStream } from './streamed-answer.js'
import { rejectUnsafeStrings } from './text-safety.js'

export interface RouteDeps {
  config: Config
  authenticate: Authenticate
  /** @throws invalid_access_token, and not_found for another team than the token's */
  authenticateScim: AuthenticateScim
  /** Called when a directory was answered. */
  onScimAnswer: (actor: ScimActor, answer: ScimAnswer) => void
  /** @throws forbidden, password_change_required … when the caller may not call a route that needs `permission` */
  authorize: (
    actor: Actor,
    permission: string,
    route: { whileRestricted: readonly Restriction[]; accountWide: boolean },
  ) => void
  /** Runs the handler of a request that writes: each of its transactions verifies first that the caller's access has not ended. */
  whileActive: <T>(actor: Actor | ScimActor, route: { endsSessions: boolean }, handler: () => Promise<T>) => Promise<T>
  /** Whether a route may name this permission. */
  knowsPermission: (permission: string) => boolean
  /** Every room's codes: what a route says it can refuse with must be one of them. */
  errorTables: ErrorTable[]
  /** What any route that is not public can answer: for its team, while the session is restricted, and to an API token where it wants a session. */
  sessionCodes: { always: string[]; restricted: Record<Restriction, string>; noToken: string[]; accountWide: string[] }
}

/** A request of a directory and what became of it. */
export interface ScimAnswer {
  method: string
  /** Path and query. */
  url: string
  status: number
  scimType: string | undefined
  detail: string | undefined
}

const WRITING: string[] = ['POST', 'PUT', 'PATCH', 'DELETE']
const SESSION_ALONE = ['signed-in', 'instance:update']

/** Whether an API token is refused: by the permission, or because the act asks how recently its caller has proven who they are. */
const wantsSession = ({ permission, errors = [] }: Route): boolean =>
  SESSION_ALONE.includes(permission) || errors.includes('reauthentication_required')

const restrictionsThatClose = ({ whileRestricted = [] }: Route): Restriction[] =>
  RESTRICTIONS.filter((restriction) => !whileRestricted.includes(restriction))

/** The codes that a route can answer by what it is, without declaring them. */
function impliedCodes(route: Route, sessionCodes: RouteDeps['sessionCodes']): string[] {
  const isPublic = route.permission === 'public'
  return [
    'invalid_request',
    'rate_limited',
    'unavailable',
    ...(route.method === 'GET' ? [] : ['foreign_origin', 'payload_too_large', 'unsupported_media_type']),
    ...(isPublic ? [] : ['unauthorized', 'invalid_access_token', 'forbidden', ...sessionCodes.always]),
    ...(isPublic ? [] : restrictionsThatClose(route).map((restriction) => sessionCodes.restricted[restriction])),
    ...(wantsSession(route) ? sessionCodes.noToken : []),
    ...(route.accountWide ? sessionCodes.accountWide : []),
  ]
}

/**
 * Puts the routes on the server.
 * @throws Error at the start, when a route leaves out its permission or its answers, names an unknown permission or an
 * undeclared error code, or takes a path parameter that it does not describe
 */
export function registerRoutes(app: FastifyInstance, routes: Route[], deps: RouteDeps): void {
  const codes = new Map<string, { status: number; title: string }>()
  for (const table of [PLATFORM_ERRORS, ...deps.errorTables]) {
    for (const [code, spec] of Object.entries(table)) {
      if (codes.has(code)) throw new Error(`The error code ${code} is declared twice`)
      codes.set(code, spec)
    }
  }
  const refer = referenceNamedSchemas(app)
  const largeBodies = createLargeBodies()
  const origin = { frontendOrigin: new URL(deps.config.frontendUrl).origin, secure: deps.config.secure }

  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    rejectGaps(route, name, deps, codes)
    const isPublic = route.permission === 'public'
    const success = Number(Object.keys(route.responses)[0])
    const limit = route.bodyLimit ?? STANDARD_BODY
    // Every schema of the reference is registered at the start, although the reference is built on its first request.
    refer(problemOf(route))

    const options: RouteShorthandOptions = {
      config: {
        template: route.path.replace(/\([^)]*\)/g, ''),
        documentation: () => documentationOf(route, refer, codes, deps.sessionCodes),
        dialect: route.dialect ?? 'problem',
        accepts: route.accepts ?? ['json'],
        body: limit,
      },
      bodyLimit: limit.bytes,
      ...(route.forwarded && { validatorCompiler: () => (value: unknown) => ({ value }) }),
      // As much as the framework works by; it need not carry what only the reference says.
      schema: {
        ...(route.params && { params: route.params }),
        ...(route.query && { querystring: route.query }),
        ...(route.body && { body: route.body }),
        response: successesOf(route, refer),
      },
      onRequest: async (request) => {
        if (!isPublic) await admit(request, route, deps)
        else if (limit === LARGE_BODY) largeBodies.admit(request.raw)
      },
      ...(route.permission === 'scim' && { onResponse: async (request, reply) => reportAnswer(request, reply, deps) }),
      preValidation: async (request) => {
        rejectUnsafeStrings(request.query, 'query')
        if (route.forwarded && request.body instanceof FormBody) rejectUnsafeStrings(request.body.entries, 'body')
        if (!route.body || route.forwarded) return
        if (request.body instanceof FormBody) request.body = request.body.values
        // A missing body is an empty one: the answer then names the fields that are missing.
        if (request.body === undefined) request.body = {}
        rejectUnsafeStrings(request.body, 'body')
      },
    }

    app.route({
      ...options,
      method: route.method,
      url: route.path,
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        reply.code(success)
        const http = httpExchange(request, reply, origin)
        const signedIn = async () => {
          // Who somebody is does not depend on the team that the request names.
          if (request.headers.authorization === undefined) return undefined
          const caller = await authenticate(request, route, deps, false)
          if (caller.via !== 'session') return undefined
          request.actor = caller
          return caller
        }
        const { actor, params, query, body } = request
        const sent = sentRequest(request)
        const context = { actor, params, query, body, sent, origin: originOf(request), http, signedIn }
        const handle = async () => route.handle(context as RouteContext<never, never, never, never>)
        const holds = !isPublic && actor && WRITING.includes(route.method)
        const answer = holds
          ? await deps.whileActive(actor, { endsSessions: route.endsSessions ?? false }, handle)
          : await handle()
        if (answer instanceof StreamedAnswer) return sendStream(reply, answer)
        if (route.dialect === 'scim' && answer !== undefined)
          return reply
            .type(`${scimMediaType(request.headers.accept)}; charset=utf-8`)
            .serializer((resource: unknown) => JSON.stringify(resource))
            .send(answer)
        return reply.sent ? reply : reply.send(answer)
      },
    })
  }
}

const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  scim: SCIM_MEDIA_TYPE,
} as const

function securityOf(route: Route): Record<string, string[]>[] {
  if (route.permission === 'scim') return [{ scimToken: [] }]
  return wantsSession(route) ? [{ bearer: [] }] : [{ bearer: [] }, { apiToken: [] }]
}

/** Tells who keeps the last requests of directories what became of one; who was not let in is nobody's. */
function reportAnswer(request: FastifyRequest, reply: FastifyReply, deps: RouteDeps): void {
  const { actor, rejected, method, url } = request
  if (actor?.via !== 'scim-token') return
  const why = { scimType: rejected && scimTypeOf(rejected), detail: rejected && scimDetailOf(rejected) }
  deps.onScimAnswer(actor, { method, url, status: reply.statusCode, ...why })
}

const sentRequest = (request: FastifyRequest): SentRequest => ({
  method: request.method,
  queryString: request.url.split('?').slice(1).join('?'),
  body: request.body instanceof FormBody ? request.body.text : '',
  header: (name) => [request.headers[name]].flat()[0],
})

async function admit(request: FastifyRequest, route: Route, deps: RouteDeps): Promise<void> {
  if (route.permission === 'scim') {
    const { orgRef } = request.params as { orgRef: string }
    request.actor = await deps.authenticateScim({ ...bearerOf(request), orgRef, origin: originOf(request) })
    return
  }
  const actor = await authenticate(request, route, deps)
  request.actor = actor
  const { whileRestricted = [], accountWide = false } = route
  deps.authorize(actor, route.permission, { whileRestricted, accountWide })
}

async function authenticate(request: FastifyRequest, route: Route, deps: RouteDeps, inTeam = true): Promise<Actor> {
  const presented = presentedToken(request)
  if (!presented) throw unauthorized()
  return deps.authenticate({
    ...presented,
    teamInPath: route.teamInPath ? (request.params as { orgId: string }).orgId : undefined,
    teamInHeader: inTeam ? [request.headers['x-org-id']].flat()[0] : undefined,
    origin: originOf(request),
  })
}

const unauthorized = () => rejection('unauthorized', { headers: { 'www-authenticate': 'Bearer realm="keyward"' } })

/** @throws unauthorized */
function bearerOf({ headers }: FastifyRequest): { token: string } {
  const token = bearerIn(headers.authorization)
  if (!token) throw unauthorized()
  return { token }
}

const bearerIn = (authorization = ''): string | undefined => /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1]

/** The token of a request: by `Authorization`, else by `x-api-token`. */
function presentedToken({ headers }: FastifyRequest): Pick<Credentials, 'token' | 'header'> | undefined {
  if (headers.authorization !== undefined) {
    const token = bearerIn(headers.authorization)
    return token ? { token, header: 'authorization' } : undefined
  }
  const [token] = [headers['x-api-token']].flat()
  return token ? { token, header: 'x-api-token' } : undefined
}

type Codes = Map<string, { status: number; title: string }>

function rejectGaps(route: Route, name: string, deps: RouteDeps, codes: Codes): void {
  const { permission } = route
  if (!permission) throw new Error(`${name} declares no permission`)
  if (!['public', 'signed-in', 'scim'].includes(permission) && !deps.knowsPermission(permission))
    throw new Error(`${name} needs the permission ${permission}, which the access table does not have`)
  if (Object.keys(route.responses).length === 0) throw new Error(`${name} declares no answer`)
  if (permission === 'scim' && !route.path.startsWith('/scim/v2/:orgRef/'))
    throw new Error(`${name} is opened by SCIM tokens and does not name their team`)
  const known = (code: string) =>
    codes.has(code) ||
    (route.dialect === 'oauth' && code in OAUTH_ERRORS) ||
    (route.dialect === 'scim' && code in SCIM_ERRORS)
  for (const [code] of (route.errors ?? []).map(codeAndStatus))
    if (!known(code)) throw new Error(`${name} names the error ${code}, which no room declares`)
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1])
  const described = Object.keys(route.params?.properties ?? {})
  if (inPath.join() !== described.join())
    throw new Error(`${name} has the parameters ${inPath.join()} and describes ${described.join()}`)
}

/** Headers that the reference shows. They are read by the hooks and not validated: what is wrong in them has answers of its own. */
function documentedHeaders(route: Route): Record<string, string> {
  const team: Record<string, string> =
    route.permission === 'public' || route.permission === 'scim' || route.teamInPath
      ? {}
      : { 'x-org-id': 'Id of the team that the request is for; default: the team of the token' }
  return { ...team, ...route.headers }
}

/** `code` or `code:status`. */
function codeAndStatus(entry: string): [code: string, status: number | undefined] {
  const [code = '', status] = entry.split(':')
  return [code, status === undefined ? undefined : Number(status)]
}

/** What never has a body. */
const WITHOUT_BODY = [204, 304]

type Refer = ReturnType<typeof referenceNamedSchemas>

/** Returns the schema of a route as the reference shows it. */
function documentationOf(
  route: Route,
  refer: Refer,
  codes: Codes,
  sessionCodes: RouteDeps['sessionCodes'],
): Record<string, unknown> {
  const isPublic = route.permission === 'public'
  return {
    ...(route.method === 'OPTIONS' && { hide: true }),
    summary: route.summary,
    tags: [route.tag],
    description: [
      route.description,
      isPublic ? '' : `Permission: \`${route.permission}\`.`,
      route.bodyLimit === LARGE_BODY ? 'The body may have up to 1 MiB.' : '',
    ]
      .filter(Boolean)
      .join('\n\n'),
    ...(!isPublic && { security: securityOf(route) }),
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(route.body && { body: route.body }),
    ...(route.accepts && { consumes: route.accepts.map((kind) => MEDIA_TYPES[kind]) }),
    response: { ...successesOf(route, refer), ...problemsOf(route, refer, codes, sessionCodes) },
    ...headersFor(documentedHeaders(route)),
  }
}

const headersFor = (headers: Record<string, string>) =>
  Object.keys(headers).length > 0
    ? {
        headers: {
          type: 'object',
          properties: Object.fromEntries(
            Object.entries(headers).map(([name, description]) => [name, { type: 'string', description }]),
          ),
        },
      }
    : {}

/** Returns the declared answers, by status. */
const successesOf = (route: Route, refer: Refer): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      {
        description: (schema as { description?: string }).description ?? 'Done',
        ...(!WITHOUT_BODY.includes(Number(status)) && {
          content: Object.fromEntries(
            (route.dialect === 'scim' ? [SCIM_MEDIA_TYPE, MEDIA_TYPES.json] : mediaTypesOf(schema)).map((type) => [
              type,
              { schema: refer(schema) },
            ]),
          ),
        }),
      },
    ]),
  )

/** Returns one Problem for each status that the route's codes lead to. */
function problemsOf(
  route: Route,
  refer: Refer,
  codes: Codes,
  sessionCodes: RouteDeps['sessionCodes'],
): Record<string, unknown> {
  const { problem, media, implied, statuses } = speech(route, sessionCodes)
  const byStatus = new Map<number, string[]>()
  for (const entry of [...implied, ...(route.errors ?? [])]) {
    const [code, other] = codeAndStatus(entry)
    const status = other ?? statuses[code] ?? codes.get(code)?.status ?? 500
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: `\`${[...new Set(list)].join('`, `')}\``,
        content: { [media]: { schema: refer(problem) } },
      },
    ]),
  )
}

interface Speech {
  problem: TSchema
  media: string
  /** The codes that the route can answer by what it is. */
  implied: readonly string[]
  /** The statuses of the codes that only this dialect has. */
  statuses: Record<string, number>
}

const problemOf = ({ dialect }: Route): TSchema =>
  dialect === 'oauth' ? OAuthProblem : dialect === 'scim' ? ScimProblem : Problem

/** How a route prints what it refuses. */
function speech(route: Route, sessionCodes: RouteDeps['sessionCodes']): Speech {
  if (route.dialect === 'oauth')
    return { problem: OAuthProblem, media: 'application/json', implied: OAUTH_IMPLIED, statuses: OAUTH_STATUS }
  if (route.dialect === 'scim')
    return {
      problem: ScimProblem,
      media: SCIM_MEDIA_TYPE,
      implied: [
        ...SCIM_IMPLIED,
        ...(route.body ? ['tooMany'] : []),
        ...(route.method === 'GET' ? [] : ['payload_too_large', 'unsupported_media_type']),
      ],
      statuses: SCIM_STATUS,
    }
  return {
    problem: Problem,
    media: 'application/problem+json',
    implied: impliedCodes(route, sessionCodes),
    statuses: {},
  }
}

const statusesOf = (table: ErrorTable): Record<string, number> =>
  Object.fromEntries(Object.entries(table).map(([code, { status }]) => [code, status]))

/** What any route in the SCIM dialect can answer. */
const SCIM_IMPLIED = [
  'invalidSyntax',
  'invalidValue',
  'unauthorized',
  'invalid_access_token',
  'not_found',
  'rate_limited',
  'unavailable',
]
const SCIM_STATUS = statusesOf(SCIM_ERRORS)

/** What any route in the OAuth dialect can answer, by the names of that dialect. */
const OAUTH_IMPLIED = [
  'invalid_request',
  'invalid_request:413',
  'temporarily_unavailable',
  'temporarily_unavailable:429',
]
const OAUTH_STATUS: Record<string, number> = {
  temporarily_unavailable: 503,
  ...statusesOf(OAUTH_ERRORS),
}
