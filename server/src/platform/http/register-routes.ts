import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { ErrorTable } from '../app-error.js'
import type { Config } from '../config/config.js'
import { PLATFORM_ERRORS, refusal } from '../errors.js'
import { type Actor, type Authenticate, type Credentials, RESTRICTIONS, type Restriction } from './actor.js'
import { FormBody } from './form-body.js'
import { httpExchange } from './http-exchange.js'
import { originOf } from './http-server.js'
import { referenceNamedSchemas } from './named-schemas.js'
import { OAUTH_ERRORS, OAuthProblem } from './oauth-dialect.js'
import { Problem } from './problem.js'
import type { Route, RouteContext, SentRequest } from './route.js'
import { mediaTypesOf, StreamedAnswer, sendStream } from './streamed-answer.js'
import { refuseUnsafeText } from './text-safety.js'

export interface RouteDeps {
  config: Config
  authenticate: Authenticate
  /** @throws forbidden, password_change_required … when the caller may not call a route that needs `permission` */
  authorize: (actor: Actor, permission: string, route: { whileRestricted: readonly Restriction[] }) => void
  /** Whether a route may name this permission. */
  knowsPermission: (permission: string) => boolean
  /** Every room's codes: what a route says it can refuse with must be one of them. */
  errorTables: ErrorTable[]
  /** What any route that is not public can answer: for its team, while the session is restricted, and to an API token where it wants a session. */
  sessionCodes: { always: string[]; restricted: Record<Restriction, string>; noToken: string[] }
}

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
    ...(route.body ? ['payload_too_large', 'unsupported_media_type'] : []),
    ...(route.method === 'GET' ? [] : ['foreign_origin']),
    ...(isPublic ? [] : ['unauthorized', 'invalid_access_token', 'forbidden', ...sessionCodes.always]),
    ...(isPublic ? [] : restrictionsThatClose(route).map((restriction) => sessionCodes.restricted[restriction])),
    ...(wantsSession(route) ? sessionCodes.noToken : []),
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
  const origin = { frontendOrigin: new URL(deps.config.frontendUrl).origin, secure: deps.config.secure }

  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    refuseGaps(route, name, deps, codes)
    const isPublic = route.permission === 'public'
    const success = Number(Object.keys(route.responses)[0])

    const options: RouteShorthandOptions = {
      config: {
        template: route.path.replace(/\([^)]*\)/g, ''),
        documentedHeaders: documentedHeaders(route),
        dialect: route.dialect ?? 'problem',
        accepts: route.accepts ?? ['json'],
      },
      ...(route.bodyLimit && { bodyLimit: route.bodyLimit }),
      ...(route.forwarded && { validatorCompiler: () => (value: unknown) => ({ value }) }),
      schema: {
        ...(route.method === 'OPTIONS' && { hide: true }),
        summary: route.summary,
        tags: [route.tag],
        description: [route.description, isPublic ? '' : `Permission: \`${route.permission}\`.`]
          .filter(Boolean)
          .join('\n\n'),
        ...(!isPublic && { security: wantsSession(route) ? [{ bearer: [] }] : [{ bearer: [] }, { apiToken: [] }] }),
        ...(route.params && { params: route.params }),
        ...(route.query && { querystring: route.query }),
        ...(route.body && { body: route.body }),
        ...(route.accepts && { consumes: route.accepts.map((kind) => MEDIA_TYPES[kind]) }),
        response: responsesOf(route, refer, codes, deps.sessionCodes),
      },
      onRequest: async (request) => {
        if (!isPublic) await admit(request, route, deps)
      },
      preValidation: async (request) => {
        refuseUnsafeText(request.query, 'query')
        if (route.forwarded && request.body instanceof FormBody) refuseUnsafeText(request.body.entries, 'body')
        if (!route.body || route.forwarded) return
        if (request.body instanceof FormBody) request.body = request.body.values
        // A missing body is an empty one: the answer then names the fields that are missing.
        if (request.body === undefined) request.body = {}
        refuseUnsafeText(request.body, 'body')
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
        const answer = await route.handle(context as RouteContext<never, never, never, never>)
        if (answer instanceof StreamedAnswer) return sendStream(reply, answer)
        return reply.sent ? reply : reply.send(answer)
      },
    })
  }
}

const MEDIA_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const

const sentRequest = (request: FastifyRequest): SentRequest => ({
  method: request.method,
  queryString: request.url.split('?').slice(1).join('?'),
  body: request.body instanceof FormBody ? request.body.text : '',
  header: (name) => [request.headers[name]].flat()[0],
})

async function admit(request: FastifyRequest, route: Route, deps: RouteDeps): Promise<void> {
  const actor = await authenticate(request, route, deps)
  request.actor = actor
  deps.authorize(actor, route.permission, { whileRestricted: route.whileRestricted ?? [] })
}

async function authenticate(request: FastifyRequest, route: Route, deps: RouteDeps, inTeam = true): Promise<Actor> {
  const presented = presentedToken(request)
  if (!presented) throw refusal('unauthorized', { headers: { 'www-authenticate': 'Bearer realm="keyward"' } })
  return deps.authenticate({
    ...presented,
    teamInPath: route.teamInPath ? (request.params as { orgId: string }).orgId : undefined,
    teamInHeader: inTeam ? [request.headers['x-org-id']].flat()[0] : undefined,
    origin: originOf(request),
  })
}

/** The token of a request: by `Authorization`, else by `x-api-token`. */
function presentedToken({ headers }: FastifyRequest): Pick<Credentials, 'token' | 'header'> | undefined {
  if (headers.authorization !== undefined) {
    const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(headers.authorization)?.[1]
    return token ? { token, header: 'authorization' } : undefined
  }
  const [token] = [headers['x-api-token']].flat()
  return token ? { token, header: 'x-api-token' } : undefined
}

type Codes = Map<string, { status: number; title: string }>

function refuseGaps(route: Route, name: string, deps: RouteDeps, codes: Codes): void {
  const { permission } = route
  if (!permission) throw new Error(`${name} declares no permission`)
  if (!['public', 'signed-in'].includes(permission) && !deps.knowsPermission(permission))
    throw new Error(`${name} needs the permission ${permission}, which the access table does not have`)
  if (Object.keys(route.responses).length === 0) throw new Error(`${name} declares no answer`)
  const known = (code: string) => codes.has(code) || (route.dialect === 'oauth' && code in OAUTH_ERRORS)
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
    route.permission === 'public' || route.teamInPath
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

/** The declared answers, and one Problem for each status that the route's codes lead to. */
function responsesOf(
  route: Route,
  refer: (schema: TSchema) => unknown,
  codes: Codes,
  sessionCodes: RouteDeps['sessionCodes'],
): Record<string, unknown> {
  const oauth = route.dialect === 'oauth'
  const byStatus = new Map<number, string[]>()
  for (const entry of [...(oauth ? OAUTH_IMPLIED : impliedCodes(route, sessionCodes)), ...(route.errors ?? [])]) {
    const [code, other] = codeAndStatus(entry)
    const status = other ?? ((oauth && OAUTH_STATUS[code]) || (codes.get(code)?.status ?? 500))
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const problems = [...byStatus].map(([status, list]) => [
    status,
    {
      description: `\`${[...new Set(list)].join('`, `')}\``,
      content: oauth
        ? { 'application/json': { schema: refer(OAuthProblem) } }
        : { 'application/problem+json': { schema: refer(Problem) } },
    },
  ])
  const successes = Object.entries(route.responses).map(([status, schema]) => [
    status,
    {
      description: (schema as { description?: string }).description ?? 'Done',
      ...(!WITHOUT_BODY.includes(Number(status)) && {
        content: Object.fromEntries(mediaTypesOf(schema).map((type) => [type, { schema: refer(schema) }])),
      }),
    },
  ])
  return Object.fromEntries([...successes, ...problems])
}

/** What any route in the OAuth dialect can answer, by the names of that dialect. */
const OAUTH_IMPLIED = [
  'invalid_request',
  'invalid_request:413',
  'temporarily_unavailable',
  'temporarily_unavailable:429',
]
const OAUTH_STATUS: Record<string, number> = {
  temporarily_unavailable: 503,
  ...Object.fromEntries(Object.entries(OAUTH_ERRORS).map(([code, { status }]) => [code, status])),
}
