import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { errorBody, type ScimType } from '../../protocols/scim/index.js'
import { type AppError, type ErrorTable, rejections } from '../app-error.js'

/** What SCIM is served under: everything there is refused in its shape, also what no route answers. */
const SCIM_ROOT = '/scim/'

export const isScimAddress = (url: string): boolean => url.startsWith(SCIM_ROOT)

export const SCIM_MEDIA_TYPE = 'application/scim+json'

/**
 * The media type of an answer (RFC 7644 3.8): JSON's own for whoever asks for that and would rather have it, else that of SCIM.
 * @param accept the header, as RFC 9110 12.5.1 has it
 */
export function scimMediaType(accept: string | undefined): typeof SCIM_MEDIA_TYPE | 'application/json' {
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

/** The names of RFC 7644 (3.12, table 9), and what has none there. */
export const SCIM_ERRORS = {
  invalidFilter: {
    status: 400,
    title: 'The filter is not valid',
    explain:
      'It is no filter of RFC 7644 3.4.2.2, is longer than 2 kB or nested deeper than 20, names an attribute that is not kept, or compares one with a value of another type.',
  },
  tooMany: {
    status: 400,
    title: 'That is more than one request may do',
    explain:
      'Send less at once: at most 1,000 operations, whose paths have at most 128 kB and which compare only so much together; at most 10,000 members; at most 100 values of any other attribute, and 64 kB of one user.',
  },
  uniqueness: {
    status: 409,
    title: 'Somebody else has this value',
    explain:
      'The `externalId` belongs to another user of the team or differs from the one that is stored, the `userName` is another user’s, or the team has a group of this `displayName` or `externalId`.',
  },
  mutability: {
    status: 400,
    title: 'This attribute cannot be changed',
    explain:
      'It is read-only (`id`, `meta`, the groups of a user), or it is the `userName` of a user who belongs to another team as well: their address is changed by themselves alone.',
  },
  invalidSyntax: {
    status: 400,
    title: 'The request is not valid',
    explain:
      'The body is no JSON, or not of the shape that RFC 7644 gives it; `schemas` is missing or names another message.',
  },
  invalidPath: {
    status: 400,
    title: 'The path is not valid',
    explain: 'The `path` of an operation is malformed or names an attribute that is not kept.',
  },
  noTarget: {
    status: 400,
    title: 'The path meets nothing',
    explain: 'No value of the attribute matches the filter in the `path`, or an operation that needs a path has none.',
  },
  invalidValue: {
    status: 400,
    title: 'The value does not fit',
    explain:
      'A required value is missing, or one has the wrong type, is too long, or names what the team does not have: a member of a group who is no user of it.',
  },
  invalidVers: { status: 400, title: 'The protocol version is not served', explain: 'The only one is v2.' },
  sensitive: {
    status: 403,
    title: 'This cannot be asked for in an address',
    explain: 'Ask by `POST …/.search` instead.',
  },
  not_implemented: {
    status: 501,
    title: 'This is not served',
    explain: 'RFC 7644 3.11: `/Me` has no meaning for a directory, which is nobody’s session.',
  },
} as const satisfies ErrorTable & Record<ScimType, unknown>

export const scimError = rejections(SCIM_ERRORS)

/** RFC 7644 3.12. */
export const ScimProblem = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    status: Type.String({ description: 'The HTTP status, as text' }),
    scimType: Type.Optional(Type.String()),
    detail: Type.Optional(Type.String()),
  },
  { $id: 'ScimProblem', additionalProperties: true },
)

/** The name that SCIM has for a refusal; undefined where it has none. */
export function scimTypeOf({ code, errors }: AppError): ScimType | undefined {
  if (code === 'invalid_request') return errors?.some(({ path }) => path !== '') ? 'invalidValue' : 'invalidSyntax'
  return isScimType(code) ? code : undefined
}

const isScimType = (code: string): code is ScimType => Object.hasOwn(SCIM_ERRORS, code) && code !== 'not_implemented'

/** What a directory, and whoever set it up, is told. */
export function scimDetailOf({ code, detail, title, errors = [] }: AppError): string {
  if (code === 'unsupported_media_type' && detail === undefined) return `Send the body as ${SCIM_MEDIA_TYPE}`
  const fields = errors.map(({ path, message }) => `${path} ${message}`)
  return [detail ?? title, ...fields].join('; ')
}

export function sendScimProblem(reply: FastifyReply, error: AppError): FastifyReply {
  const scimType = scimTypeOf(error)
  return reply
    .code(error.status)
    .headers(error.headers)
    .type(`${scimMediaType(reply.request.headers.accept)}; charset=utf-8`)
    .serializer((body: unknown) => JSON.stringify(body))
    .send(errorBody({ status: error.status, scimType, detail: scimDetailOf(error) }))
}
