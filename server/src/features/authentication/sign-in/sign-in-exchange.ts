import { AppError } from '../../../platform/app-error.js'
import { randomToken } from '../../../platform/crypto/random.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import {
  deviceCookie,
  presentSession,
  replacesAnother,
  setDeviceCookie,
  setPendingCookie,
} from '../../sessions/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import type { SignedIn } from '../pipeline/sign-in-step.js'

export const SIGN_IN_ERRORS = [
  'account_suspended',
  'not_a_member',
  'team_suspended',
  'team_sign_in_required',
  'sign_in_denied',
] as const

/** The errors of a provider that no longer asserts the sign-in when the challenge is completed. */
export const ASSERTION_ERRORS = [
  'sso_provider_changed',
  'sso_provider_disabled',
  'sso_provider_orphaned',
  'role_protected',
] as const

/** Returns the request data of a sign-in. A browser in cookie mode gets a device cookie at its first sign-in. */
export function signInRequest(
  { http, origin }: { http: HttpExchange; origin: SignInRequest['origin'] },
  { remember = true }: { remember?: boolean } = {},
): SignInRequest {
  return {
    origin,
    remember,
    deviceToken: http.isFromConsole ? (deviceCookie(http) ?? randomToken()) : undefined,
  }
}

/**
 * Returns the response of every sign-in method: the session or the challenge. In a browser, a session by a team's provider that would
 * replace a valid one of another account or team waits for the user's confirmation.
 */
export async function presentSignIn(deps: AccountDeps, http: HttpExchange, request: SignInRequest, signedIn: SignedIn) {
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
  if (signedIn.isFederated && ssoToken && http.isFromConsole && (await replacesAnother(deps, http, signedIn))) {
    setPendingCookie(http, { refreshToken, ssoToken })
    return { pending: true as const }
  }
  if (request.deviceToken) setDeviceCookie(http, request.deviceToken)
  return presentSession(http, signedIn)
}

/** Runs a sign-in method with the request data and returns the response. */
export async function respondToSignIn(
  deps: AccountDeps,
  context: { http: HttpExchange; origin: SignInRequest['origin'] },
  options: { remember?: boolean },
  signIn: (request: SignInRequest) => Promise<SignedIn>,
) {
  const request = signInRequest(context, options)
  return presentSignIn(deps, context.http, request, await signIn(request))
}

/** Returns the caller, or undefined if the access token is not valid. Server errors are thrown. */
export const ifSignedIn = (signedIn: () => Promise<SessionActor | undefined>): Promise<SessionActor | undefined> =>
  signedIn().catch((error: unknown) => {
    if (error instanceof AppError && error.status < 500) return undefined
    throw error
  })
