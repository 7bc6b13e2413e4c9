import { randomToken } from '../../platform/crypto/random.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SessionId } from '../../platform/ids.js'
import { newId } from '../../protocols/saml/index.js'
import { beginAttempt } from './attempts.js'
import type { SsoDeps } from './deps.js'
import { askForLogout, type MessageDeps } from './logout-messages.js'
import { nameOfSession } from './saml-sessions.js'

/**
 * Where somebody goes who has signed out: a path of our pages, judged; an address that is registered, or that of one that was not told of all;
 * null for the page that says so.
 */
export type AfterSignOut = { returnTo: string | null } | { registered: string; ifPartial?: string | undefined }

/** What a sign-out at a provider remembers until it is answered. */
export interface WaitingLogout {
  /** The address of an application to which the browser goes on, whatever the answer. */
  registered?: string | undefined
  /** The same where somebody did not sign out. */
  ifPartial?: string | undefined
  /** An application of SAML could not be told, or did not sign out. */
  partial?: boolean | undefined
}

/**
 * Where the browser of a session that has ended goes: to the applications of SAML that were told of it, then to the provider of SAML that
 * opened it, and in the end on. Who is not signed out everywhere hears of it on our page, unless an application waits for them.
 * @returns null where nobody has to be told
 */
export async function leaveByProvider(
  deps: SsoDeps,
  session: SessionId,
  after: AfterSignOut,
  origin: RequestOrigin,
): Promise<string | null> {
  const askFor = (partial: boolean) => askProvider(deps, session, after, origin, partial)
  const wayOn = async () => {
    const { frontendUrl } = deps.config
    // Which of the two requests goes is known behind the last application; the provider is asked once.
    const goesOn = (await askFor(false)) ?? addressOf(frontendUrl, after)
    return { goesOn, ifPartial: (await askFor(true)) ?? addressOf(frontendUrl, after, 'saml_logout_incomplete') }
  }
  return (await deps.leaveApplications(session, wayOn, origin)) ?? askFor(false)
}

/** Where a sign-out ends. @param error the code of what went wrong on the way: it stands on our page that says that all is over */
export function addressOf(frontendUrl: string, after: AfterSignOut, error?: string): string {
  if ('registered' in after) return (error !== undefined && after.ifPartial) || after.registered
  const page = `${frontendUrl}/logged-out`
  if (error !== undefined) return `${page}?${new URLSearchParams({ error })}`
  return after.returnTo === null ? page : `${frontendUrl}${after.returnTo}`
}

/**
 * Where the browser of a session that has ended goes to have the provider of SAML that opened it sign its person out: the address with a
 * signed request, from where it comes back and goes on.
 * @param partial somebody has not signed out before
 * @returns null where no provider has to be told
 */
export async function askProvider(
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
  const redirectTo = await askForLogout(deps, id, named, origin)
  if (redirectTo === undefined) return null
  const { id: providerId, version: providerVersion } = named.provider
  const payload: WaitingLogout = { partial, ...('registered' in after && after) }
  const returnTo = 'returnTo' in after ? after.returnTo : null
  const rest = { payload: { ...payload }, returnTo, testRun: null, browserToken: randomToken() }
  const begun = await db.transaction((tx) =>
    beginAttempt(tx, clock, { ...rest, providerId, providerVersion, kind: 'saml_logout', state: id }),
  )
  return begun ? redirectTo : null
}
