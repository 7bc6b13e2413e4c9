import { RESTRICTIONS, type Restriction } from '../actor.js'
import { LARGE_BODY } from '../body-limits.js'
import { codeAndStatus, type ErrorCodes } from '../check-routes.js'
import type { Dialect } from '../dialect.js'
import type { Route } from '../route.js'
import { mediaTypesOf } from '../streamed-response.js'
import type { referenceNamedSchemas } from './named-schemas.js'

type Refer = ReturnType<typeof referenceNamedSchemas>

/** The codes that any route that is not public can return. */
export interface ImpliedErrorCodes {
  always: string[]
  /** For a restricted session, by the reason of the restriction. */
  restricted: Record<Restriction, string>
  /** For an API token, on routes that accept sessions only. */
  sessionOnly: string[]
  accountWide: string[]
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

const SESSION_ONLY = ['signed-in', 'instance:update']

/** Returns whether API tokens are rejected: by the permission, or because the route requires a recent authentication. */
const requiresSession = ({ permission, errors = [] }: Route): boolean =>
  SESSION_ONLY.includes(permission) || errors.includes('reauthentication_required')

/** Returns the codes that a route can return without declaring them. */
function impliedCodes(route: Route, impliedErrorCodes: ImpliedErrorCodes): string[] {
  const isPublic = route.permission === 'public'
  const { allowedRestrictions = [] } = route
  const rejecting = RESTRICTIONS.filter((restriction) => !allowedRestrictions.includes(restriction))
  return [
    'invalid_request',
    'rate_limited',
    'unavailable',
    ...(route.method === 'GET' ? [] : ['foreign_origin', 'payload_too_large', 'unsupported_media_type']),
    ...(isPublic ? [] : ['unauthorized', 'invalid_access_token', 'forbidden', ...impliedErrorCodes.always]),
    ...(isPublic ? [] : rejecting.map((restriction) => impliedErrorCodes.restricted[restriction])),
    ...(requiresSession(route) ? impliedErrorCodes.sessionOnly : []),
    ...(route.accountWide ? impliedErrorCodes.accountWide : []),
  ]
}

/** Returns whether the callers are those of the dialect, instead of sessions and API tokens. */
const hasOwnCallers = ({ permission }: Route, { name, authentication }: Dialect): boolean =>
  authentication !== undefined && permission === name

function securityOf(route: Route, dialect: Dialect): Record<string, string[]>[] {
  if (dialect.authentication && hasOwnCallers(route, dialect)) return [{ [dialect.authentication.scheme]: [] }]
  return requiresSession(route) ? [{ bearer: [] }] : [{ bearer: [] }, { apiToken: [] }]
}

/** Returns the headers that the reference shows. Hooks read them without a schema: an invalid value has an error code of its own. */
function documentedHeaders(route: Route, dialect: Dialect): Record<string, string> {
  const team: Record<string, string> =
    route.permission === 'public' || hasOwnCallers(route, dialect) || route.teamInPath
      ? {}
      : { 'x-org-id': 'ID of the team of the request; default: the team of the token' }
  return { ...team, ...route.headers }
}

/** Returns the schema of a route for the OpenAPI document. */
export function documentRoute(
  route: Route,
  dialect: Dialect,
  refer: Refer,
  codes: ErrorCodes,
  impliedErrorCodes: ImpliedErrorCodes,
): Record<string, unknown> {
  const mediaTypes = { json: JSON_TYPE, form: FORM_TYPE, own: dialect.mediaType }
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
    ...(!isPublic && { security: securityOf(route, dialect) }),
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(route.body && { body: route.body }),
    ...(route.accepts && { consumes: route.accepts.map((kind) => mediaTypes[kind]) }),
    response: {
      ...successResponses(route, dialect, refer),
      ...errorResponses(route, dialect, refer, codes, impliedErrorCodes),
    },
    ...headersFor(documentedHeaders(route, dialect)),
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
export const successResponses = (route: Route, { mediaType }: Dialect, refer: Refer): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      {
        description: (schema as { description?: string }).description ?? 'Done',
        ...(!WITHOUT_BODY.includes(Number(status)) && {
          content: Object.fromEntries(
            (mediaType ? [mediaType, JSON_TYPE] : mediaTypesOf(schema)).map((type) => [
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
  dialect: Dialect,
  refer: Refer,
  codes: ErrorCodes,
  impliedErrorCodes: ImpliedErrorCodes,
): Record<string, unknown> {
  const { errors, printedCodes, problem, problemType } = dialect
  const implied = dialect.impliedCodes?.(route) ?? impliedCodes(route, impliedErrorCodes)
  const byStatus = new Map<number, string[]>()
  for (const entry of [...implied, ...(route.errors ?? [])]) {
    const [code, other] = codeAndStatus(entry)
    const status = other ?? printedCodes?.[code] ?? errors[code]?.status ?? codes.get(code)?.status ?? 500
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: `\`${[...new Set(list)].join('`, `')}\``,
        content: { [problemType]: { schema: refer(problem) } },
      },
    ]),
  )
}
