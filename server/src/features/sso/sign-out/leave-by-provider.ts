import { randomToken } from '../../../platform/crypto/random.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SessionId } from '../../../platform/ids.js'
import { newId } from '../../../protocols/saml/index.js'
import { beginAttempt } from '../model/attempts.js'
import type { SsoDeps } from '../model/deps.js'
import { logoutRequest, type MessageDeps, signedOutPage } from './logout-messages.js'
import { storeResumed } from './resumed-logout.js'
import { nameOfSession } from './saml-sessions.js'

/**
 * The end of a sign-out: a validated path of Keyward's pages (null for the signed-out page), or the registered URL of an application, with
 * another one for a partial sign-out.
 */
export type AfterSignOut = { returnTo: string | null } | { registered: string; ifPartial?: string | undefined }

/** Payload of a sign-out that waits for the provider's response. */
export interface WaitingLogout {
  /** URL of an application to which the browser is redirected after any response. */
  registered?: string | undefined
  /** URL of the application to which the browser is redirected after a partial sign-out. */
  ifPartial?: string | undefined
  /** True if a SAML application could not be notified or did not sign out. */
  partial?: boolean | undefined
}

/**
 * Returns where the browser continues after its session has ended: first the SAML applications to notify, then the SAML provider that
 * started the session, then `after`. A partial sign-out is shown on the signed-out page, unless an application expects the user.
 * @returns null if no party must be notified
 */
export async function leaveByProvider(
  deps: SsoDeps,
  session: SessionId,
  after: AfterSignOut,
  origin: RequestOrigin,
): Promise<string | null> {
  const providerUrl = (partial: boolean) => providerLogoutUrl(deps, session, after, origin, partial)
  const nextUrls = async () => {
    const { frontendUrl } = deps.config
    // Both URLs are built now, because the outcome is known only after the last application. The browser follows one of them.
    const goesOn = (await providerUrl(false)) ?? addressOf(frontendUrl, after)
    return { goesOn, ifPartial: (await providerUrl(true)) ?? addressOf(frontendUrl, after, 'saml_logout_incomplete') }
  }
  return (await deps.leaveApplications([session], nextUrls, origin)) ?? providerUrl(false)
}

/** Returns the URL at which a sign-out ends. @param error the error code to show on the signed-out page */
export function addressOf(frontendUrl: string, after: AfterSignOut, error?: string): string {
  if ('registered' in after) return (error !== undefined && after.ifPartial) || after.registered
  const isElsewhere = error === undefined && after.returnTo !== null
  return isElsewhere ? `${frontendUrl}${after.returnTo}` : signedOutPage(frontendUrl, error)
}

/**
 * Returns the URL with a signed LogoutRequest to the SAML provider that started the ended session, or of a page that posts one. After the
 * response, the browser continues to `after`.
 * @param partial true if an application before it did not sign out
 * @returns null if no provider must be notified
 */
export async function providerLogoutUrl(
  deps: MessageDeps,
  session: SessionId,
  after: AfterSignOut,
  origin: RequestOrigin,
  partial = false,
): Promise<string | null> {
  const { db, clock } = deps
  const named = await db.transaction((tx) => nameOfSession(tx, session))
  if (!named) return null
  const id = newId()
  const message = await logoutRequest(deps, id, named, origin)
  if (!message) return null
  const { provider } = named
  const { id: providerId, version: providerVersion } = provider
  const payload: WaitingLogout = { partial, ...('registered' in after && after) }
  const returnTo = 'returnTo' in after ? after.returnTo : null
  const rest = { payload: { ...payload }, returnTo, testRun: null, browserToken: randomToken() }
  return db.transaction(async (tx) => {
    const attempt = { ...rest, providerId, providerVersion, kind: 'saml_logout', state: id } as const
    if (!(await beginAttempt(tx, clock, attempt))) return null
    if ('redirectTo' in message) return message.redirectTo
    return (await storeResumed(tx, deps, provider, { request: { session, id } })) ?? null
  })
}
