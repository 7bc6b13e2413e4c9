import type { TSchema } from 'typebox'
import type { ErrorTable } from '../../app-error.js'
import { RESTRICTIONS, type Restriction } from '../actor.js'
import { LARGE_BODY } from '../body-limits.js'
import { codeAndStatus, type ErrorCodes } from '../check-routes.js'
import { OAUTH_ERRORS, OAuthProblem } from '../oauth-dialect.js'
import { Problem } from '../problem.js'
import type { Route } from '../route.js'
import { SCIM_ERRORS, SCIM_MEDIA_TYPE, ScimProblem } from '../scim-dialect.js'
import { mediaTypesOf } from '../streamed-response.js'
import type { referenceNamedSchemas } from './named-schemas.js'

type Refer = ReturnType<typeof referenceNamedSchemas>

/** The codes that any route that is not public can return. */
export interface SessionCodes {
  always: string[]
  /** For a restricted session, by the reason of the restriction. */
  restricted: Record<Restriction, string>
  /** For an API token, if the route requires a session. */
  noToken: string[]
  accountWide: string[]
}

const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  scim: SCIM_MEDIA_TYPE,
} as const

const SESSION_ONLY = ['signed-in', 'instance:update']

/** Returns whether API tokens are rejected: by the permission, or because the route requires a recent authentication. */
const requiresSession = ({ permission, errors = [] }: Route): boolean =>
  SESSION_ONLY.includes(permission) || errors.includes('reauthentication_required')

/** Returns the codes that a route can return without declaring them. */
function impliedCodes(route: Route, sessionCodes: SessionCodes): string[] {
  const isPublic = route.permission === 'public'
  const { whileRestricted = [] } = route
  const rejecting = RESTRICTIONS.filter((restriction) => !whileRestricted.includes(restriction))
  return [
    'invalid_request',
    'rate_limited',
    'unavailable',
    ...(route.method === 'GET' ? [] : ['foreign_origin', 'payload_too_large', 'unsupported_media_type']),
    ...(isPublic ? [] : ['unauthorized', 'invalid_access_token', 'forbidden', ...sessionCodes.always]),
    ...(isPublic ? [] : rejecting.map((restriction) => sessionCodes.restricted[restriction])),
    ...(requiresSession(route) ? sessionCodes.noToken : []),
    ...(route.accountWide ? sessionCodes.accountWide : []),
  ]
}

function securityOf(route: Route): Record<string, string[]>[] {
  if (route.permission === 'scim') return [{ scimToken: [] }]
  return requiresSession(route) ? [{ bearer: [] }] : [{ bearer: [] }, { apiToken: [] }]
}

/** Returns the headers that the reference shows. Hooks read them without a schema: an invalid value has an error code of its own. */
function documentedHeaders(route: Route): Record<string, string> {
  const team: Record<string, string> =
    route.permission === 'public' || route.permission === 'scim' || route.teamInPath
      ? {}
      : { 'x-org-id': 'ID of the team of the request; default: the team of the token' }
  return { ...team, ...route.headers }
}

/** Returns the schema of a route for the OpenAPI document. */
export function documentRoute(
  route: Route,
  refer: Refer,
  codes: ErrorCodes,
  sessionCodes: SessionCodes,
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
    response: { ...successResponses(route, refer), ...errorResponses(route, refer, codes, sessionCodes) },
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

/** Statuses of responses without a body. */
const WITHOUT_BODY = [204, 304]

/** Returns the declared success responses by status. */
export const successResponses = (route: Route, refer: Refer): Record<string, unknown> =>
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

/** Returns one error response for each status of the route's codes. */
function errorResponses(
  route: Route,
  refer: Refer,
  codes: ErrorCodes,
  sessionCodes: SessionCodes,
): Record<string, unknown> {
  const { problem, media, implied, statuses } = dialectOf(route, sessionCodes)
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

/** Returns the schema of the route's error body. */
export const problemSchemaOf = ({ dialect }: Route): TSchema =>
  dialect === 'oauth' ? OAuthProblem : dialect === 'scim' ? ScimProblem : Problem

interface Dialect {
  problem: TSchema
  media: string
  /** The codes that the route can return without declaring them. */
  implied: readonly string[]
  /** The statuses of the codes that only this dialect has. */
  statuses: Record<string, number>
}

function dialectOf(route: Route, sessionCodes: SessionCodes): Dialect {
  const problem = problemSchemaOf(route)
  if (route.dialect === 'oauth')
    return { problem, media: 'application/json', implied: OAUTH_IMPLIED, statuses: OAUTH_STATUS }
  if (route.dialect === 'scim')
    return {
      problem,
      media: SCIM_MEDIA_TYPE,
      implied: [
        ...SCIM_IMPLIED,
        ...(route.body ? ['tooMany'] : []),
        ...(route.method === 'GET' ? [] : ['payload_too_large', 'unsupported_media_type']),
      ],
      statuses: SCIM_STATUS,
    }
  return { problem, media: 'application/problem+json', implied: impliedCodes(route, sessionCodes), statuses: {} }
}

const statusesOf = (table: ErrorTable): Record<string, number> =>
  Object.fromEntries(Object.entries(table).map(([code, { status }]) => [code, status]))

/** The codes that any route in the SCIM dialect can return. */
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

/** The codes that any route in the OAuth dialect can return. */
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
