import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { PasswordHasher } from '../../platform/crypto/password-hash.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { UserId } from '../../platform/ids.js'
import type { Jobs } from '../../platform/jobs/jobs.js'
import type { Throttle } from '../../platform/throttle/throttle.js'
import type { Audit } from '../audit/index.js'
import type { RoleDeps, VerifiedDomains } from '../members/index.js'
import type { EndDeps } from './end-deps.js'

/** A step of the room that owns the set: makes `ids` the whole of it, or refuses and changes nothing. */
export type ReplaceSet = (
  tx: Transaction,
  deps: { audit: Audit; clock: Clock },
  actor: Actor,
  userId: UserId,
  ids: string[],
) => Promise<unknown>

export interface UserDeps extends RoleDeps, EndDeps {
  db: Database
  config: Pick<Config, 'frontendUrl'>
  hasher: PasswordHasher
  commonPasswords: ReadonlySet<string>
  throttle: Throttle
  jobs: Jobs
  verifiedDomains: VerifiedDomains
  replaceGroups: ReplaceSet
  replaceApplications: ReplaceSet
}
