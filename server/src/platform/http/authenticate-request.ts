import type { FastifyRequest } from 'fastify'
import { rejection } from '../errors.js'
import type { Actor, Authenticate, Credentials, Restriction } from './actor.js'
import type { Dialect } from './dialect.js'
import { originOf } from './http-server.js'
import type { Route } from './route.js'

export interface AuthenticationDeps {
  authenticate: Authenticate
  /** @throws forbidden, password_change_required … if the caller may not call a route that requires `permission` */
  authorize: (
    actor: Actor,
    permission: string,
    route: { allowedRestrictions: readonly Restriction[]; accountWide: boolean },
  ) => void
}

/**
 * Authenticates and authorizes the caller of a route that is not public, and sets `request.actor`.
 * @throws unauthorized, and the errors of the deps
 */
export async function authenticateRequest(
  request: FastifyRequest,
  route: Route,
  { name, authentication }: Dialect,
  deps: AuthenticationDeps,
): Promise<void> {
  if (authentication && route.permission === name) {
    const token = bearerIn(request.headers.authorization)
    if (!token) throw unauthorized()
    const params = request.params as Record<string, string>
    request.actor = await authentication.authenticate({ token, params, origin: originOf(request) })
    return
  }
  const actor = await identifyCaller(request, route, deps, { inTeam: true })
  request.actor = actor
  const { allowedRestrictions = [], accountWide = false } = route
  deps.authorize(actor, route.permission, { allowedRestrictions, accountWide })
}

/** @param options `inTeam` is whether the header `x-org-id` selects the team */
export async function identifyCaller(
  request: FastifyRequest,
  route: Route,
  { authenticate }: AuthenticationDeps,
  { inTeam }: { inTeam: boolean },
): Promise<Actor> {
  const presented = presentedToken(request)
  if (!presented) throw unauthorized()
  return authenticate({
    ...presented,
    teamInPath: route.teamInPath ? (request.params as { orgId: string }).orgId : undefined,
    teamInHeader: inTeam ? [request.headers['x-org-id']].flat()[0] : undefined,
    origin: originOf(request),
  })
}

const unauthorized = () => rejection('unauthorized', { headers: { 'www-authenticate': 'Bearer realm="keyward"' } })

const bearerIn = (authorization = ''): string | undefined => /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1]

/** Returns the token of a request: from `Authorization`, else from `x-api-token`. */
function presentedToken({ headers }: FastifyRequest): Pick<Credentials, 'token' | 'header'> | undefined {
  if (headers.authorization !== undefined) {
    const token = bearerIn(headers.authorization)
    return token ? { token, header: 'authorization' } : undefined
  }
  const [token] = [headers['x-api-token']].flat()
  return token ? { token, header: 'x-api-token' } : undefined
}
