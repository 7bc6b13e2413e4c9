import { randomToken } from '../../platform/crypto/random.js'
import type { SessionActor } from '../../platform/http/actor.js'
import { newId } from '../../protocols/saml/index.js'
import { logOut } from '../accounts/index.js'
import { beginAttempt } from './attempts.js'
import type { SsoDeps } from './deps.js'
import { askForLogout } from './logout-messages.js'
import { nameOfSession } from './saml-sessions.js'

/**
 * Ends the session, and then says where the browser goes to sign out at the provider of SAML that opened it. The session is over before
 * anything of the provider is looked at.
 * @returns null where no provider has to be told
 */
export async function logOutByProvider(deps: SsoDeps, actor: SessionActor): Promise<string | null> {
  const { db, clock, accounts } = deps
  await logOut(accounts, actor)
  const named = await db.transaction((tx) => nameOfSession(tx, actor.sessionId))
  if (!named) return null
  const id = newId()
  const redirectTo = await askForLogout(deps, id, named, actor.origin)
  if (redirectTo === undefined) return null
  const { id: providerId, version: providerVersion } = named.provider
  const nothing = { payload: {}, returnTo: null, testRun: null, browserToken: randomToken() }
  await db.transaction((tx) =>
    beginAttempt(tx, clock, { ...nothing, providerId, providerVersion, kind: 'saml_logout', state: id }),
  )
  return redirectTo
}
