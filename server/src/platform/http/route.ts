import type { Static, TObject, TSchema } from 'typebox'
import type { Actor, RequestOrigin, Restriction, ScimActor, SessionActor } from './actor.js'
import type { BodyLimit } from './body-limits.js'
import type { HttpExchange } from './http-exchange.js'
import type { Chapter } from './openapi/chapters.js'

/** OPTIONS routes respond to CORS preflights; the reference omits them. */
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/**
 * `public`: no credentials. `signed-in`: any active session. `scim`: only a SCIM token of the team in the path parameter `orgRef`.
 * Otherwise a permission, for sessions and API tokens, or `instance:update`, for sessions only.
 */
export type RoutePermission = 'public' | 'signed-in' | 'scim' | (string & {})

type StaticOr<T, Fallback> = T extends TSchema ? Static<T> : Fallback

type CallerOf<Permission> = Permission extends 'public'
  ? undefined
  : Permission extends 'scim'
    ? ScimActor
    : Permission extends 'signed-in' | 'instance:update'
      ? SessionActor
      : Actor

export interface RouteContext<Params, Query, Body, Caller> {
  /** The caller; undefined on public routes. */
  actor: Caller
  params: Params
  query: Query
  body: Body
  origin: RequestOrigin
  /**
   * On public routes: returns the session of the bearer token; undefined without one, and for an API token.
   * @throws invalid_access_token if the token is not valid
   */
  signedIn(): Promise<SessionActor | undefined>
  /** The request as the client sent it, for routes that forward it. */
  sent: SentRequest
  /** Cookies, headers and the status of the response, for the few routes that need them. */
  http: HttpExchange
}

/** The input of a protocol engine, without validation. */
export interface SentRequest {
  method: string
  /** Without the `?`; empty if there is none. */
  queryString: string
  /** The body of a form; empty if there is none. */
  body: string
  header(name: string): string | undefined
}

/** A route in the reference: `path` has `{name}` for each parameter. */
export interface ListedRoute {
  method: string
  path: string
  permission: string
}

/** Returns the routes with their permissions, sorted by path and without OPTIONS. */
export const listRoutes = (routes: readonly Route[]): ListedRoute[] =>
  routes
    .filter(({ method }) => method !== 'OPTIONS')
    .map(({ method, path, permission }) => ({ method, path: templateOf(path), permission }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1))

/** Converts a path from Fastify's syntax (`/:id`, `/:id(pattern)`, `/*`) to OpenAPI's. */
const templateOf = (path: string): string =>
  path
    .replace(/\([^)]*\)/g, '')
    .replace(/:(\w+)/g, '{$1}')
    .replace(/\*$/, '{*}')

export type BodyType = 'json' | 'form' | 'own'

interface RouteShape<Permission, Params, Query, Body> {
  method: Method
  /** In Fastify's syntax: `/api/v1/groups/:id`. */
  path: string
  permission: Permission
  summary: string
  /** Description for the reference, in Markdown. */
  description?: string
  /** Chapter of the reference. */
  tag: Chapter
  params?: Params
  query?: Query
  body?: Body
  /** Success responses by status; the first is the status of the value that `handle` returns. */
  responses: Record<number, TSchema>
  /** The error codes of this route beside those of any route; `code:status` overrides the status of a code. */
  errors?: readonly string[]
  /** The route's team is the path parameter `orgId`. */
  teamInPath?: boolean
  /** The name of the registered dialect; default: that of the JSON API. */
  dialect?: string
  /**
   * The media types of the body; default: JSON only. `own` is that of the dialect. The handler receives a form as an object with one
   * value per field.
   */
  accepts?: readonly BodyType[]
  /** The limit of the body; default `STANDARD_BODY`. */
  bodyLimit?: BodyLimit
  /** A protocol engine validates query and body: the schemas are only documentation, and `sent` contains the original request. */
  isValidatedByEngine?: boolean
  /** Whether browsers navigate to the route, so that its errors are pages for them; default: whether it redirects. */
  isNavigation?: boolean
  /**
   * The restrictions under which the route is still available, because it meets the requirement or is necessary to do so.
   * `TEAM_RESTRICTIONS` is for routes on the user's own memberships, which the requirements of one team do not limit.
   */
  allowedRestrictions?: readonly Restriction[]
  /** The route revokes sessions of the caller's account: no other request of the account writes concurrently. */
  endsSessions?: boolean
  /**
   * The route reads or changes the account, not one team. A session without an unrestricted factor is rejected if the account has
   * one, so that a team that resets a user's factors does not grant access to the account with the password alone.
   */
  accountWide?: boolean
  /** Request headers for the reference: name and description. */
  headers?: Record<string, string>
}

export interface Route extends RouteShape<RoutePermission, TObject, TObject, TSchema> {
  handle(context: RouteContext<never, never, never, never>): unknown
}

/**
 * Declares a route: its input and responses, its permission, and the use case that it calls. The app does not start with a route
 * without a permission or a response. The OpenAPI document is generated from these declarations.
 */
export function defineRoute<
  const Permission extends RoutePermission,
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(
  route: RouteShape<Permission, Params, Query, Body> & {
    handle(
      context: RouteContext<
        StaticOr<Params, Record<string, never>>,
        StaticOr<Query, Record<string, never>>,
        StaticOr<Body, undefined>,
        CallerOf<Permission>
      >,
    ): unknown
  },
): Route {
  return route as unknown as Route
}
