import type { Clock } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, SessionId, TeamId, UserId } from '../../../platform/ids.js'
import type { LogoutRequest } from '../../../protocols/saml/index.js'
import { isAdmitted } from '../../members/index.js'
import { isActiveSession } from '../../sessions/index.js'
import { NOTIFIED_NAMES } from '../assertion/notified-sessions.js'
import type { ServiceProvider } from '../model/service-provider.js'

/** An active session that a LogoutRequest names. */
interface NamedSession {
  id: SessionId
  user_id: UserId
  organization_id: TeamId
  /** Whether it is the session of the browser's cookie. */
  is_own: boolean
  /** Whether the request may end the session. */
  may_end: boolean
}

// A request reaches only sessions for which this application received an assertion. An unsigned request reaches only the session of its
// own browser. A signed request without a cookie ends only sessions of the application's team, not those of other teams. A team that the
// user has not joined or has left reaches only sessions that are restricted to it, and otherwise gets the same response as without a
// session: it must not learn whether the user is signed in.
const named = namedQuery<
  NamedSession,
  {
    applicationId: ApplicationId
    nameId: string
    sessionIndexes: string[]
    cookie: Buffer | null
    isUnsigned: boolean
    now: Date
    teamId: TeamId
  }
>(
  'saml_provider.named_sessions',
  `SELECT DISTINCT s.id, s.user_id, s.organization_id, coalesce(s.sso_hash = :cookie, false) AS is_own,
     (coalesce(s.sso_hash = :cookie, false) OR s.organization_id = :teamId) AS may_end
   FROM ${NOTIFIED_NAMES} t JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
     JOIN memberships m ON m.user_id = s.user_id AND m.organization_id = :teamId
   WHERE t.application_id = :applicationId AND t.name_id = :nameId AND (cardinality(:sessionIndexes::text[]) = 0 OR t.session_index = ANY(:sessionIndexes))
     AND (NOT :isUnsigned::boolean OR s.sso_hash = :cookie) AND ${isActiveSession('s', ':now')} AND ${isAdmitted('m', 'u', 's.confined_team_id')} ORDER BY s.id`,
)

/** Returns the sessions that an application's LogoutRequest names. Runs in the caller's transaction. */
export const namedSessions = (
  tx: Transaction,
  clock: Clock,
  sp: ServiceProvider,
  { nameId, sessionIndexes }: Pick<LogoutRequest, 'nameId' | 'sessionIndexes'>,
  ssoToken: string | undefined,
): Promise<NamedSession[]> => {
  const cookie = ssoToken === undefined ? null : tokenHash(ssoToken)
  const isUnsigned = sp.certificate === null
  return tx.run(named, {
    applicationId: sp.id,
    nameId,
    sessionIndexes,
    cookie,
    isUnsigned,
    now: clock.now(),
    teamId: sp.teamId,
  })
}
