import Type from 'typebox'
import { type AppError, type ErrorTable, rejections } from '../../../platform/app-error.js'
import type { AuthenticateScim, ScimActor } from '../../../platform/http/actor.js'
import type { Dialect } from '../../../platform/http/dialect.js'
import { errorBody, type ScimType } from '../../../protocols/scim/index.js'

/** A request of a SCIM client and its outcome. */
export interface ScimResponse {
  method: string
  /** Path and query. */
  url: string
  status: number
  scimType: string | undefined
  detail: string | undefined
}

const SCIM_MEDIA_TYPE = 'application/scim+json'

/**
 * Returns the media type of a response (RFC 7644 3.8): JSON if the client prefers it, else SCIM.
 * @param accept the header (RFC 9110 12.5.1)
 */
function scimMediaType(accept: string | undefined): typeof SCIM_MEDIA_TYPE | 'application/json' {
  const wanted = (accept ?? '').toLowerCase().split(',').map(readRange)
  const weightOf = (...ranges: string[]): number => {
    const named = ranges.map((range) => wanted.find(({ type }) => type === range)).find((range) => range !== undefined)
    return named?.weight ?? 0
  }
  const others = ['application/*', '*/*']
  return weightOf('application/json', ...others) > weightOf(SCIM_MEDIA_TYPE, ...others)
    ? 'application/json'
    : SCIM_MEDIA_TYPE
}

function readRange(range: string): { type: string; weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
  return { type, weight: Number.isNaN(weight) ? 0 : weight }
}

/** The codes of RFC 7644 (3.12, table 9), and one that is not defined there. */
export const SCIM_ERRORS = {
  invalidFilter: {
    status: 400,
    title: 'Invalid filter',
    explain:
      'The filter does not conform to RFC 7644 3.4.2.2, is longer than 2 kB or nested deeper than 20 levels, names an unsupported attribute, or compares an attribute with a value of another type.',
  },
  tooMany: {
    status: 400,
    title: 'Request exceeds a limit',
    explain:
      'Send smaller requests: at most 1,000 operations, whose paths have at most 128 kB and whose filters make a limited number of comparisons; at most 10,000 members; at most 100 values of any other attribute, and 64 kB per user.',
  },
  uniqueness: {
    status: 409,
    title: 'Value already in use',
    explain:
      'The `externalId` belongs to another user of the team or differs from the stored one, the `userName` belongs to another user, or the team has a group with this `displayName` or `externalId`.',
  },
  mutability: {
    status: 400,
    title: 'Immutable attribute',
    explain:
      'The attribute is read-only (`id`, `meta`, the groups of a user), or it is the `userName` of a user who belongs to another team as well: only the user can change this email address.',
  },
  invalidSyntax: {
    status: 400,
    title: 'Invalid request',
    explain: 'The body is not JSON or does not conform to RFC 7644, or `schemas` is missing or names another message.',
  },
  invalidPath: {
    status: 400,
    title: 'Invalid path',
    explain: 'The `path` of an operation is malformed or names an unsupported attribute.',
  },
  noTarget: {
    status: 400,
    title: 'No target',
    explain:
      'No value of the attribute matches the filter in the `path`, or an operation that requires a path has none.',
  },
  invalidValue: {
    status: 400,
    title: 'Invalid value',
    explain:
      'A required value is missing, has the wrong type or is too long, or references a resource that the team does not have, such as a group member who is not a user of the team.',
  },
  invalidVers: { status: 400, title: 'Unsupported protocol version', explain: 'The only supported version is v2.' },
  sensitive: {
    status: 403,
    title: 'Sensitive filter in a URL',
    explain: 'Use `POST …/.search` instead.',
  },
  not_implemented: {
    status: 501,
    title: 'Not implemented',
    explain: 'RFC 7644 3.11: `/Me` has no meaning for a SCIM client, which does not act as a user.',
  },
} as const satisfies ErrorTable & Record<ScimType, unknown>

export const scimError = rejections(SCIM_ERRORS)

/** RFC 7644 3.12. */
const ScimProblem = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    status: Type.String({ description: 'The HTTP status, as a string' }),
    scimType: Type.Optional(Type.String()),
    detail: Type.Optional(Type.String()),
  },
  { $id: 'ScimProblem', additionalProperties: true },
)

/** Returns the `scimType` of an error; undefined if SCIM defines none. */
function scimTypeOf({ code, errors }: AppError): ScimType | undefined {
  if (code === 'invalid_request') return errors?.some(({ path }) => path !== '') ? 'invalidValue' : 'invalidSyntax'
  return isScimType(code) ? code : undefined
}

const isScimType = (code: string): code is ScimType => Object.hasOwn(SCIM_ERRORS, code) && code !== 'not_implemented'

/** Returns the `detail` for the SCIM client and its administrator. */
function scimDetailOf({ code, detail, title, errors = [] }: AppError): string {
  if (code === 'unsupported_media_type' && detail === undefined) return `Send the body as ${SCIM_MEDIA_TYPE}`
  const fields = errors.map(({ path, message }) => `${path} ${message}`)
  return [detail ?? title, ...fields].join('; ')
}

/**
 * Creates the dialect of SCIM: errors of RFC 7644 3.12, and SCIM tokens of the team in the path.
 * @param authenticate authenticates a SCIM token
 * @param onResponse is called after each response to an authenticated client
 */
export const scimDialect = (
  authenticate: AuthenticateScim,
  onResponse: (actor: ScimActor, response: ScimResponse) => void,
): Dialect => ({
  name: 'scim',
  root: '/scim/',
  errors: SCIM_ERRORS,
  impliedCodes: ({ method, body }) => [
    'invalidSyntax',
    'invalidValue',
    'unauthorized',
    'invalid_access_token',
    'not_found',
    'rate_limited',
    'unavailable',
    ...(body ? ['tooMany'] : []),
    ...(method === 'GET' ? [] : ['payload_too_large', 'unsupported_media_type']),
  ],
  problem: ScimProblem,
  problemType: SCIM_MEDIA_TYPE,
  print: (error, { headers }) => ({
    status: error.status,
    type: scimMediaType(headers.accept),
    body: errorBody({ status: error.status, scimType: scimTypeOf(error), detail: scimDetailOf(error) }),
  }),
  mediaType: SCIM_MEDIA_TYPE,
  responseType: scimMediaType,
  authentication: {
    scheme: 'scimToken',
    description: 'A SCIM token of a team',
    path: '/scim/v2/:orgRef/',
    authenticate: ({ token, params, origin }) => authenticate({ token, orgRef: params.orgRef ?? '', origin }),
    onResponse: (actor, { error, ...response }) =>
      onResponse(actor, { ...response, scimType: error && scimTypeOf(error), detail: error && scimDetailOf(error) }),
  },
})
