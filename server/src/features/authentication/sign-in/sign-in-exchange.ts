import { AppError } from '../../../platform/app-error.js'
import { randomToken } from '../../../platform/crypto/random.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import {
  deviceCookie,
  type IssuedSession,
  presentSession,
  replacesAnother,
  setDeviceCookie,
  setPendingCookie,
} from '../../sessions/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import type { Challenge } from '../pipeline/sign-in-step.js'

export const SIGN_IN_ERRORS = [
  'account_suspended',
  'not_a_member',
  'team_suspended',
  'team_sign_in_required',
  'sign_in_denied',
] as const

/** Why a provider that had vouched for a sign-in does so no longer when its second factor is there. */
export const ASSERTION_ERRORS = [
  'sso_provider_changed',
  'sso_provider_disabled',
  'sso_provider_orphaned',
  'role_protected',
] as const

/** What a door of sign-in knows of its request. A browser on our own pages gets a device cookie at its first sign-in. */
export function signInRequest(
  { http, origin }: { http: HttpExchange; origin: SignInRequest['origin'] },
  { remember = true }: { remember?: boolean } = {},
): SignInRequest {
  return {
    origin,
    remember,
    deviceToken: http.consoleMode ? (deviceCookie(http) ?? randomToken()) : undefined,
  }
}

/**
 * The answer of every door: the session, or that a second factor is due. In a browser, a session by a team's provider that would replace a
 * live one of another account or team waits for the user's confirmation.
 */
export async function presentSignIn(
  deps: Pick<AccountDeps, 'db' | 'clock'>,
  http: HttpExchange,
  request: SignInRequest,
  signedIn: IssuedSession | Challenge,
) {
  if ('mfaToken' in signedIn) {
    const { mfaToken, methods, expiresAt, otherTeams } = signedIn
    return {
      mfaRequired: true as const,
      mfaToken,
      mfaMethods: methods,
      mfaExpiresAt: expiresAt.toISOString(),
      ...(otherTeams && { mfaOtherTeams: otherTeams }),
    }
  }
  const { refreshToken, ssoToken } = signedIn
  if (signedIn.isFederated && ssoToken && http.consoleMode && (await replacesAnother(deps, http, signedIn))) {
    setPendingCookie(http, { refreshToken, ssoToken })
    return { pending: true as const }
  }
  if (request.deviceToken) setDeviceCookie(http, request.deviceToken)
  return presentSession(http, signedIn)
}

/** The caller, or nobody when the Bearer is not valid; a service that is away stays an error. */
export const ifSignedIn = (signedIn: () => Promise<SessionActor | undefined>): Promise<SessionActor | undefined> =>
  signedIn().catch((error: unknown) => {
    if (error instanceof AppError && error.status < 500) return undefined
    throw error
  })
