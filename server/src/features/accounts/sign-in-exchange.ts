import { AppError } from '../../platform/app-error.js'
import { randomToken } from '../../platform/crypto/random.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'
import { deviceCookie, type IssuedSession, presentSession, setDeviceCookie } from '../sessions/index.js'
import type { SignInRequest } from './deps.js'
import type { Challenge } from './sign-in-step.js'

export const SIGN_IN_ERRORS = ['account_suspended', 'not_a_member', 'team_suspended', 'team_sign_in_required'] as const

/** What a door of sign-in knows of its request. A browser on our own pages gets a device cookie at its first sign-in. */
export function signInRequest({
  http,
  origin,
  body,
}: {
  http: HttpExchange
  origin: SignInRequest['origin']
  body: { remember?: boolean }
}): SignInRequest {
  return {
    origin,
    remember: body.remember ?? true,
    deviceToken: http.consoleMode ? (deviceCookie(http) ?? randomToken()) : undefined,
  }
}

/** The answer of every door: the session, or that a second factor is due. */
export function answer(http: HttpExchange, request: SignInRequest, signedIn: IssuedSession | Challenge) {
  if ('mfaToken' in signedIn) return { mfaRequired: true as const, mfaToken: signedIn.mfaToken }
  if (request.deviceToken) setDeviceCookie(http, request.deviceToken)
  return presentSession(http, signedIn)
}

/** The caller, or nobody when the Bearer is not valid; a service that is away stays an error. */
export const ifSignedIn = (signedIn: () => Promise<SessionActor | undefined>): Promise<SessionActor | undefined> =>
  signedIn().catch((error: unknown) => {
    if (error instanceof AppError && error.status < 500) return undefined
    throw error
  })
