import type { Static, TObject, TSchema } from 'typebox'
import type { Actor, RequestOrigin, Restriction, ScimActor, SessionActor } from './actor.js'
import type { BodyLimit } from './body-limits.js'
import type { Chapter } from './chapters.js'
import type { HttpExchange } from './http-exchange.js'

/** OPTIONS routes answer what a browser asks before it sends a request to another site; they stand in no reference. */
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/**
 * `public`: no credentials. `signed-in`: any live session. `scim`: a SCIM token of the team that the path parameter `orgRef` names, and
 * nothing else. Otherwise a permission of the access table, for sessions and API tokens, or `instance:update`, for sessions.
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
   * On public routes: who the Bearer of a session says, undefined without one; an API token is nobody's session.
   * @throws invalid_access_token when there is one that is not valid
   */
  signedIn(): Promise<SessionActor | undefined>
  /** The request as it was sent, for routes that forward it. */
  sent: SentRequest
  /** Cookies, headers and the status of the answer, for the few routes that need them. */
  http: HttpExchange
}

/** What a protocol engine reads: nothing of it was validated. */
export interface SentRequest {
  method: string
  /** Without the `?`; empty when there is none. */
  queryString: string
  /** Of a form; empty when there is none. */
  body: string
  header(name: string): string | undefined
}

/** A route as the reference lists it: `path` with `{name}` for each parameter. */
export interface ListedRoute {
  method: string
  path: string
  permission: string
}

/** What each of the routes needs, sorted by path; what a browser asks beforehand (OPTIONS) stands in no reference. */
export const listRoutes = (routes: readonly Route[]): ListedRoute[] =>
  routes
    .filter(({ method }) => method !== 'OPTIONS')
    .map(({ method, path, permission }) => ({ method, path: templateOf(path), permission }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1))

/** Fastify's form of a path (`/:id`, `/:id(pattern)`, `/*`) as OpenAPI writes it. */
const templateOf = (path: string): string =>
  path
    .replace(/\([^)]*\)/g, '')
    .replace(/:(\w+)/g, '{$1}')
    .replace(/\*$/, '{*}')

interface RouteShape<Permission, Params, Query, Body> {
  method: Method
  /** Fastify's form: `/api/v1/groups/:id`. */
  path: string
  permission: Permission
  summary: string
  /** Longer text for the reference; markdown. */
  description?: string
  /** Chapter of the reference. */
  tag: Chapter
  params?: Params
  query?: Query
  body?: Body
  /** Success answers by status; the first is the one that `handle` gives. */
  responses: Record<number, TSchema>
  /** The codes that this route can refuse with, beside those that any route can; `code:status` for one that has another status here. */
  errors?: readonly string[]
  /** The route's team is the path parameter `orgId`. */
  teamInPath?: boolean
  /**
   * How refusals are printed: `problem` is the JSON API; `oauth` is `{error, error_description}` (RFC 6749 5.2), whose codes are
   * those of `OAUTH_ERRORS` beside the codes of the rooms; `scim` is the error message of RFC 7644 3.12, with the names of
   * `SCIM_ERRORS`, and answers are `application/scim+json`.
   */
  dialect?: 'problem' | 'oauth' | 'scim'
  /** The media types of the body; default JSON alone. A form is given to the handler as an object, of one value each. */
  accepts?: readonly ('json' | 'form' | 'scim')[]
  /** The limit of the body; default `STANDARD_BODY`. */
  bodyLimit?: BodyLimit
  /** A protocol engine judges the query and the body: they are documented here, and arrive as they were sent in `sent`. */
  forwarded?: boolean
  /**
   * Answers although the session is restricted for one of these reasons: it fulfills what is due, or is needed on the way. `DUE_IN_TEAM` for
   * what the user does about their own memberships: what is due in one team does not limit it.
   */
  whileRestricted?: readonly Restriction[]
  /** It ends sessions of the caller's account: no other request of the account writes at the same time. */
  endsSessions?: boolean
  /**
   * Reads or changes what belongs to the account and not to one team. A session that has verified no unrestricted factor of an account that has
   * one is rejected; so a team that resets the factors of a user does not open the account to someone who has only the password.
   */
  accountWide?: boolean
  /** Request headers with a meaning here, for the reference: name and description. */
  headers?: Record<string, string>
}

export interface Route extends RouteShape<RoutePermission, TObject, TObject, TSchema> {
  handle(context: RouteContext<never, never, never, never>): unknown
}

/**
 * A route: everything it takes and gives, who may call it, and the one use-case that it calls. The app refuses to start on a
 * route that declares no permission or no answer, and the OpenAPI document is made from nothing else.
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
