import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId, SessionId } from '../../../platform/ids.js'
import { isAdmitted } from '../../members/index.js'
import { NOTIFIED_NAMES } from '../assertion/notified-sessions.js'
import type { SamlProviderDeps } from '../model/deps.js'
import { hasLogoutService } from '../model/service-provider.js'
import { nextMessage, writeMessage } from './logout-messages.js'
import type { Continuation, NotifiedApplication } from './stored-logout.js'

// Applications of a team that the user has left, or has not joined, must not receive the browser during a sign-out.
const others = namedQuery<NotifiedApplication, [SessionId[], ApplicationId | null]>(
  'saml_provider.other_applications',
  `SELECT t.application_id AS application, t.name_id AS "nameId", t.name_id_format AS "nameIdFormat", t.session_index AS "sessionIndex"
   FROM ${NOTIFIED_NAMES} t JOIN applications a ON a.id = t.application_id JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
     JOIN memberships m ON m.user_id = s.user_id AND m.organization_id = a.organization_id
   WHERE t.session_id = ANY($1) AND t.application_id IS DISTINCT FROM $2 AND ${hasLogoutService('a')} AND a.stopped_at IS NULL
     AND ${isAdmitted('m', 'u', 's.confined_team_id')}
   ORDER BY t.created_at, t.application_id, t.name_id`,
)

/** Limit of redirects in one sign-out. Applications beyond it are not notified, and the response states a partial logout. */
const MAX_HOPS = 20

/**
 * Returns the applications to notify of the end of these sessions, once for each NameID that they received. Runs in the caller's
 * transaction.
 * @param requester the application that requested the sign-out, which is left out
 */
export async function applicationsToNotify(
  tx: Transaction,
  sessions: SessionId[],
  requester: ApplicationId | null,
): Promise<{ left: NotifiedApplication[]; tooMany: boolean }> {
  const all = await tx.run(others, [sessions, requester])
  return { left: all.slice(0, MAX_HOPS), tooMany: all.length > MAX_HOPS }
}

/**
 * Starts the notification of SAML applications after a sign-out that started at Keyward or at the provider of the sessions. The browser
 * visits each application, then the continuation. The sessions have already ended, even if the browser does not return.
 * @param findContinuation returns the URL to which the browser continues after the last application; called only if one must be notified
 * @returns the URL of the first application; null if no application must be notified
 */
export async function leaveApplications(
  deps: SamlProviderDeps,
  sessions: SessionId[],
  findContinuation: () => Promise<Continuation>,
  origin: RequestOrigin,
): Promise<string | null> {
  const { left, tooMany } = await deps.db.transaction((tx) => applicationsToNotify(tx, sessions, null))
  if (left.length === 0) return null
  const logout = { ...(await findContinuation()), partial: tooMany, waiting: null, left }
  const response = await writeMessage(
    deps,
    await deps.db.transaction((tx) => nextMessage(tx, deps, null, logout, { asUrl: true })),
    origin,
  )
  return 'redirectTo' in response ? response.redirectTo : null
}
