import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { endOtherSessions, endOwnSession, listSessions } from './list-sessions.js'
import { type RefreshDeps, refreshSession } from './refresh-session.js'
import { presentListed, presentSession, Session, SessionList } from './schema.js'
import { clearSessionCookies, refreshCookie, setSsoCookie, ssoCookie } from './session-cookies.js'
import { switchTeam } from './switch-team.js'

const Message = Type.Object({ message: Type.String() })

export const sessionRoutes = (deps: RefreshDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/refresh',
    permission: 'public',
    tag: 'Sessions',
    summary: 'Exchange a refresh token for its successor and a new access token',
    description: 'The token is taken from the body, else (in cookie mode) from its cookie.',
    body: Type.Object({ refreshToken: Type.Optional(Type.String({ maxLength: 512 })) }),
    responses: { 200: Session },
    errors: ['invalid_refresh_token'],
    handle: async ({ body, origin, http }) => {
      const fromCookie = body.refreshToken === undefined && http.consoleMode
      const token = body.refreshToken ?? (fromCookie ? refreshCookie(http) : undefined)
      try {
        const issued = await refreshSession(deps, token, origin)
        // Lives as long as the session does, and so is prolonged with it.
        const sso = http.consoleMode ? ssoCookie(http) : undefined
        if (sso) setSsoCookie(http, sso, issued.remember)
        return presentSession(http, issued)
      } catch (error) {
        // A cookie that opens nothing any more is taken away, unless the service itself was away.
        if (fromCookie && (error as { code?: string }).code === 'invalid_refresh_token') clearSessionCookies(http)
        throw error
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/auth/sessions',
    permission: 'signed-in',
    tag: 'Sessions',
    summary: "The caller's living sessions",
    responses: { 200: SessionList },
    errors: ['team_sign_in_required'],
    handle: async ({ actor }) => ({
      data: (await listSessions(deps, actor)).map((session) => presentListed(session, actor.sessionId)),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/auth/sessions/:id',
    permission: 'signed-in',
    tag: 'Sessions',
    summary: "End one of the caller's sessions",
    params: Type.Object({ id: Type.String() }),
    responses: { 200: Message },
    errors: ['session_not_found', 'team_sign_in_required'],
    handle: async ({ actor, params }) => {
      await endOwnSession(deps, actor, params.id)
      return { message: 'The session was ended' }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/auth/sessions',
    permission: 'signed-in',
    tag: 'Sessions',
    summary: "End all of the caller's sessions but this one",
    responses: { 200: Type.Object({ message: Type.String(), ended: Type.Integer() }) },
    errors: ['team_sign_in_required'],
    handle: async ({ actor }) => ({
      message: 'All other sessions were ended',
      ended: await endOtherSessions(deps, actor),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/switch-team',
    permission: 'signed-in',
    tag: 'Sessions',
    summary: 'Open another team of the caller in the same session',
    body: Type.Object({ teamId: Type.String({ maxLength: 100 }) }),
    responses: { 200: Session },
    errors: ['not_a_member', 'team_sign_in_required', 'team_suspended'],
    handle: async ({ actor, body, http }) => presentSession(http, await switchTeam(deps, actor, body.teamId)),
  }),
]
