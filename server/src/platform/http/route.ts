import type { Static, TObject, TSchema } from 'typebox'
import type { Actor, RequestOrigin } from './actor.js'
import type { HttpExchange } from './http-exchange.js'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `public`: no credentials. `signed-in`: any live session. Otherwise a permission of the access table, or `instance:update`. */
export type RoutePermission = 'public' | 'signed-in' | (string & {})

type StaticOr<T, Fallback> = T extends TSchema ? Static<T> : Fallback

export interface RouteContext<Params, Query, Body, Caller> {
  /** The caller; undefined on public routes. */
  actor: Caller
  params: Params
  query: Query
  body: Body
  origin: RequestOrigin
  /** On public routes: who the Bearer says, undefined without one. @throws invalid_access_token when there is one that is not valid */
  signedIn(): Promise<Actor | undefined>
  /** Cookies, headers and the status of the answer, for the few routes that need them. */
  http: HttpExchange
}

interface RouteShape<Permission, Params, Query, Body> {
  method: Method
  /** Fastify's form: `/api/v1/groups/:id`. */
  path: string
  permission: Permission
  summary: string
  /** Longer text for the reference; markdown. */
  description?: string
  /** Chapter of the reference. */
  tag: string
  params?: Params
  query?: Query
  body?: Body
  /** Success answers by status; the first is the one that `handle` gives. */
  responses: Record<number, TSchema>
  /** The codes that this route can refuse with, beside those that any route can. */
  errors?: readonly string[]
  /** The route's team is the path parameter `orgId`. */
  teamInPath?: boolean
  /** Answers although the session is restricted (a password or a factor is due). */
  whileRestricted?: boolean
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
        Permission extends 'public' ? undefined : Actor
      >,
    ): unknown
  },
): Route {
  return route as unknown as Route
}
