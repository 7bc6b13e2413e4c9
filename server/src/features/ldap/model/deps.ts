import type { Config } from '../../../platform/config/config.js'
import type { Envelope } from '../../../platform/crypto/envelope.js'
import type { Database } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { AddressRules } from '../../../platform/http/outbound.js'
import type { Jobs } from '../../../platform/jobs/jobs.js'
import type { Audit } from '../../audit/index.js'
import type { EndDeps } from '../../user-management/index.js'

/** The request that started a run; a scheduled run has only an ID of its own. */
export type RunOrigin = RequestOrigin

export interface DirectoryDeps extends EndDeps {
  db: Database
  audit: Audit
  config: Pick<Config, 'ldapAnswerSeconds'>
  envelope: Envelope
  jobs: Jobs
  /** Which addresses a connection to a directory may use. */
  addressRules: AddressRules
}
