import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { Envelope } from '../../platform/crypto/envelope.js'
import type { Database } from '../../platform/db/database.js'
import type { TxtRecords } from '../../platform/dns.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'
import type { Outbound } from '../../platform/http/outbound.js'
import type { SessionId } from '../../platform/ids.js'
import type { Audit } from '../audit/index.js'
import type { AccountDeps } from '../authentication/index.js'
import type { SamlKeyStore } from '../saml-keys/index.js'
import type { OidcProviders } from './oidc-providers.js'

/** What the administration of providers needs. */
export interface ProviderDeps {
  db: Database
  clock: Clock
  audit: Audit
  envelope: Envelope
  config: Pick<Config, 'secure' | 'baseUrl' | 'frontendUrl'>
  outbound: Outbound
}

export interface SsoDeps extends ProviderDeps {
  config: Config
  /** Takes over when a provider has said who somebody is. */
  accounts: AccountDeps
  txtRecords: TxtRecords
  /** By which the teams sign as service providers, and read what is encrypted to them. */
  samlKeys: SamlKeyStore
  /**
   * Where a browser whose session has ended goes to tell applications of SAML, and then on, another way where one of them could not be
   * told or did not sign out; null where there is nobody to be told.
   */
  leaveApplications(
    session: SessionId,
    goesOn: () => Promise<{ goesOn: string; ifPartial?: string | undefined }>,
    origin: RequestOrigin,
  ): Promise<string | null>
  /** Throws a refusal on, with a page for a browser that wants one. */
  rejectForBrowser(
    browser: { act: 'sign-out'; http: HttpExchange; frontendUrl: string; requestId: string },
    error: unknown,
    about: URLSearchParams,
  ): never
  /** What providers publish of themselves. */
  oidcProviders: OidcProviders
}
