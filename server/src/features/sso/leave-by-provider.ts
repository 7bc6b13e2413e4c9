import { randomToken } from '../../platform/crypto/random.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SessionId } from '../../platform/ids.js'
import { newId } from '../../protocols/saml/index.js'
import { beginAttempt } from './attempts.js'
import type { SsoDeps } from './deps.js'
import { askForLogout } from './logout-messages.js'
import { nameOfSession } from './saml-sessions.js'

/**
 * Where the browser of a session that has ended goes: to the applications of SAML that were told of it, then to the provider of SAML that
 * opened it, and in the end to our page.
 * @param returnTo a path of our pages, judged; null for the one that says that all is over
 * @returns null where nobody has to be told
 */
export async function leaveByProvider(
  deps: SsoDeps,
  session: SessionId,
  returnTo: string | null,
  origin: RequestOrigin,
): Promise<string | null> {
  const provider = await askProvider(deps, session, returnTo, origin)
  const goesOn = provider ?? `${deps.config.frontendUrl}${returnTo ?? '/logged-out'}`
  return (await deps.leaveApplications(session, goesOn)) ?? provider
}

/** The address with a signed request for a logout; null where no provider has to be told. */
async function askProvider(
  deps: SsoDeps,
  session: SessionId,
  returnTo: string | null,
  origin: RequestOrigin,
): Promise<string | null> {
  const { db, clock } = deps
  const named = await db.transaction((tx) => nameOfSession(tx, session))
  if (!named) return null
  const id = newId()
  const redirectTo = await askForLogout(deps, id, named, origin)
  if (redirectTo === undefined) return null
  const { id: providerId, version: providerVersion } = named.provider
  const rest = { payload: {}, returnTo, testRun: null, browserToken: randomToken() }
  await db.transaction((tx) =>
    beginAttempt(tx, clock, { ...rest, providerId, providerVersion, kind: 'saml_logout', state: id }),
  )
  return redirectTo
}
