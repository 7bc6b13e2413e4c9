import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { Mailer } from '../../platform/mail/mailer.js'
import type { Audit } from '../audit/index.js'
import type { EndTemporaryOf } from '../members/index.js'
import type { DelegatedBy } from '../sessions/index.js'

export interface EndDeps {
  clock: Clock
  audit: Audit
  mailer: Mailer
  /**
   * Ends what acts with the permissions of a user, in any team or as `which` says: SCIM tokens, registration access tokens, providers and
   * directories. It does not act again when the user returns, but when another member saves it. Returns the team of each, by kind. Runs
   * in the caller's transaction.
   */
  endWhatActsFor: (tx: Transaction, userId: UserId, which?: DelegatedBy) => Promise<Record<string, TeamId[]>>
  /** Ends the user's sessions at the SAML applications of a team. Runs in the caller's transaction. */
  endSamlSessions: (tx: Transaction, userId: UserId, teamId: TeamId) => Promise<void>
  endTemporaryOf: EndTemporaryOf
}
