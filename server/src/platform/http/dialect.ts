import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { AppError, ErrorTable } from '../app-error.js'
import type { RequestOrigin, ScimActor } from './actor.js'
import type { Route } from './route.js'

/**
 * How an interface prints errors, which media types it has, and what its requests imply. The JSON API has `problemDialect`; a module
 * registers the dialect of its protocol with its routes, which select it by name.
 */
export interface Dialect {
  name: string
  /** The beginning of the paths whose errors have this format even if no route matches. */
  root?: string
  /** The codes that only this dialect has. */
  errors: ErrorTable
  /** The codes that a route can return without declaring them, as `code` or `code:status`; default: those of the JSON API. */
  impliedCodes?(route: Route): readonly string[]
  /** The statuses of implied codes that no table contains, because they are the printed form of others. */
  printedCodes?: Readonly<Record<string, number>>
  /** The schema of an error, and its media type in the reference. */
  problem: TSchema
  problemType: string
  /** Returns the printed form of an error. */
  print(error: AppError, request: FastifyRequest): { status: number; type: string; body: object }
  /** Responses and bodies have this type beside JSON. A route accepts it in bodies with `accepts: ['own']`. */
  mediaType?: string
  /** Returns the media type of a response. @param accept the header (RFC 9110 12.5.1) */
  responseType?(accept: string | undefined): string
  /** The routes set the CORS headers of other origins than the own pages. */
  setsCors?: boolean
  authentication?: DialectAuthentication
}

/** The callers of a dialect, which replace sessions and API tokens on its routes with the dialect's name as their permission. */
export interface DialectAuthentication {
  /** The name and description of the credentials in the reference. */
  scheme: string
  description: string
  /** The beginning of the paths of these routes. */
  path: string
  /** @throws invalid_access_token; not_found for a team other than the token's */
  authenticate(credentials: {
    token: string
    params: Readonly<Record<string, string>>
    origin: RequestOrigin
  }): Promise<ScimActor>
  /** Called after each response to an authenticated caller. */
  onResponse(actor: ScimActor, response: DialectResponse): void
}

/** A request and its outcome. */
export interface DialectResponse {
  method: string
  /** Path and query. */
  url: string
  status: number
  error: AppError | undefined
}

/** Sends an error in a dialect. */
export function sendError(dialect: Dialect, request: FastifyRequest, reply: FastifyReply, error: AppError) {
  const { status, type, body } = dialect.print(error, request)
  return reply
    .code(status)
    .headers(error.headers)
    .type(`${type}; charset=utf-8`)
    .serializer((value: unknown) => JSON.stringify(value))
    .send(body)
}
