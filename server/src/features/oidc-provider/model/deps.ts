import type { Clock } from '../../../platform/clock.js'
import type { Config } from '../../../platform/config/config.js'
import type { Envelope } from '../../../platform/crypto/envelope.js'
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
  envelope: Envelope
  /** Keys of the service itself, such as the one that derives the successors of refresh tokens. */
  serverKeys: KeyRing
  signingKeys: SigningKeyStore
  decideSignOn: DecideSignOn
  countries: Countries
  /**
   * Returns the URL at which the browser of an ended session notifies its SAML applications and its SAML identity provider, before it
   * continues with `after`; null if there is none to notify.
   */
  leaveSession(
    session: SessionId,
    after: { returnTo: null } | { registered: string },
    origin: RequestOrigin,
  ): Promise<string | null>
  /** Returns the last sign-in of a user to each SAML application. */
  samlUses(user: UserId): Promise<Map<ApplicationId, Date>>
  clients: Clients
  engines: Engines
  documents: IssuerDocuments
}
