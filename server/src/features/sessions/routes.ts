import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { forgetDevice, rememberedDevices } from './devices/remembered-devices.js'
import { endOtherSessions, endOwnSession, listSessions } from './list-sessions.js'
import { acceptReplacement, type Replacement, readReplacement, rejectReplacement } from './replace-session.js'
import { DeviceList, presentDevice, presentListed, presentSession, Session, SessionList } from './schema.js'
import { clearSessionCookies, deviceCookie, refreshCookie, setSsoCookie, ssoCookie } from './session-cookies.js'
import { type RefreshDeps, refreshSession } from './tokens/refresh-session.js'

const ReplacedSession = Type.Object({
  email: Type.String(),
  team: Type.Object({ id: Type.String(), name: Type.String() }),
})
const presentReplaced = ({ email, teamId, teamName }: Replacement['next']) => ({
  email,
  team: { id: teamId, name: teamName },
})

const Message = Type.Object({ message: Type.String() })

export const sessionRoutes = (deps: RefreshDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/refresh',
    permission: 'public',
    tag: 'Sessions',
    summary: 'Exchange a refresh token for its successor and a new access token',
    description: 'Reads the token from the body, otherwise (in cookie mode) from its cookie.',
    body: Type.Object({ refreshToken: Type.Optional(Type.String({ maxLength: 512 })) }),
    responses: { 200: Session },
    errors: ['invalid_refresh_token'],
    handle: async ({ body, origin, http }) => {
      const fromCookie = body.refreshToken === undefined && http.isFromConsole
      const token = body.refreshToken ?? (fromCookie ? refreshCookie(http) : undefined)
      try {
        const issued = await refreshSession(deps, token, origin)
        // The cookie has the lifetime of the session, so it is extended with it.
        const sso = http.isFromConsole ? ssoCookie(http) : undefined
        if (sso) setSsoCookie(http, sso, issued)
        return presentSession(http, issued)
      } catch (error) {
        // Clears an invalid cookie, but not after a server error.
        if (fromCookie && (error as { code?: string }).code === 'invalid_refresh_token') clearSessionCookies(http)
        throw error
      }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/session-replacement',
    permission: 'public',
    tag: 'Sessions',
    summary: 'Return the session of this browser and the pending one',
    description:
      'In cookie mode. A sign-in by a provider that would replace an active session of another account or team waits for the confirmation of the user for ten minutes; its callback page has `pending`. `current` is null if there is no session to replace: then a page accepts without a confirmation.',
    responses: { 200: Type.Object({ current: Type.Union([ReplacedSession, Type.Null()]), next: ReplacedSession }) },
    errors: ['session_replacement_over'],
    handle: async ({ http }) => {
      const { current, next } = await readReplacement(deps, http)
      return { current: current ? presentReplaced(current) : null, next: presentReplaced(next) }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/session-replacement/accept',
    permission: 'public',
    tag: 'Sessions',
    summary: 'Replace the session of this browser with the pending one',
    responses: { 200: Session },
    errors: ['session_replacement_over', 'invalid_refresh_token'],
    handle: async ({ http, origin }) => presentSession(http, await acceptReplacement(deps, http, origin)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/session-replacement/reject',
    permission: 'public',
    tag: 'Sessions',
    summary: 'Keep the session of this browser and end the pending one',
    responses: { 200: Message },
    errors: ['session_replacement_over'],
    handle: async ({ http, origin }) => {
      await rejectReplacement(deps, http, origin)
      return { message: 'The pending session was ended' }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/auth/sessions',
    permission: 'signed-in',
    accountWide: true,
    tag: 'Sessions',
    summary: "List the caller's active sessions",
    responses: { 200: SessionList },
    errors: ['team_sign_in_required'],
    handle: async ({ actor }) => ({
      data: (await listSessions(deps, actor)).map((session) => presentListed(session, actor.sessionId)),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/auth/sessions/:id',
    endsSessions: true,
    permission: 'signed-in',
    accountWide: true,
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
    endsSessions: true,
    permission: 'signed-in',
    accountWide: true,
    tag: 'Sessions',
    summary: "End all of the caller's other sessions",
    responses: { 200: Type.Object({ message: Type.String(), ended: Type.Integer() }) },
    errors: ['team_sign_in_required'],
    handle: async ({ actor }) => ({
      message: 'All other sessions were ended',
      ended: await endOtherSessions(deps, actor),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/auth/devices',
    permission: 'signed-in',
    accountWide: true,
    tag: 'Sessions',
    summary: 'List the known browsers from which the caller has signed in',
    responses: { 200: DeviceList },
    errors: ['team_sign_in_required'],
    handle: async ({ actor, http }) => ({
      data: (await rememberedDevices(deps, actor, deviceCookie(http))).map(presentDevice),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/auth/devices/:id',
    permission: 'signed-in',
    accountWide: true,
    tag: 'Sessions',
    summary: 'Remove a known browser; its session stays active',
    params: Type.Object({ id: Type.String() }),
    responses: { 200: Message },
    errors: ['device_not_found', 'team_sign_in_required'],
    handle: async ({ actor, params }) => {
      await forgetDevice(deps, actor, params.id)
      return { message: 'The device was removed' }
    },
  }),
]
