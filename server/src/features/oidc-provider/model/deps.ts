import type { Clock } from '../../../platform/clock.js'
import type { Config } from '../../../platform/config/config.js'
import type { KeyRing } from '../../../platform/crypto/key-ring.js'
import type { Database } from '../../../platform/db/database.js'
import type { Countries } from '../../../platform/geo/countries.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId, SessionId, UserId } from '../../../platform/ids.js'
import type { Jobs } from '../../../platform/jobs/jobs.js'
import type { Throttle } from '../../../platform/throttle/throttle.js'
import type { Audit } from '../../audit/index.js'
import type { SigningKeyStore } from '../../oidc-config/index.js'
import type { DecideSignOn } from '../../policies/index.js'
import type { IssuerDocuments } from '../discovery/issuer-documents.js'
import type { Engines } from '../engine/engines.js'
import type { Clients } from './client.js'

export interface OidcProviderDeps {
  db: Database
  clock: Clock
  config: Config
  audit: Audit
  throttle: Throttle
  jobs: Jobs
  /** Keys of the service itself: successors of refresh tokens are derived from one. */
  serverKeys: KeyRing
  signingKeys: SigningKeyStore
  /** What the policies of a team say to a sign-in. */
  decideSignOn: DecideSignOn
  /** Which country an address is in. */
  countries: Countries
  /**
   * Where a browser whose session has ended goes to tell the applications of SAML that were told of it, and the provider of SAML that
   * opened it, and then on; null where there is nobody to be told.
   */
  leaveSession(
    session: SessionId,
    after: { returnTo: null } | { registered: string },
    origin: RequestOrigin,
  ): Promise<string | null>
  /** When a user was last signed in to each application by SAML. */
  samlUses(user: UserId): Promise<Map<ApplicationId, Date>>
  clients: Clients
  engines: Engines
  documents: IssuerDocuments
}
