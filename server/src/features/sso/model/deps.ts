import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import type { SessionId } from '../../../platform/ids.js'
import type { Platform } from '../../../platform/platform.js'
import type { Audit } from '../../audit/index.js'
import type { AccountDeps } from '../../authentication/index.js'
import type { SamlKeyStore } from '../../saml-keys/index.js'
import type { OidcProviders } from '../oidc/oidc-providers.js'

export interface SsoDeps extends Pick<Platform, 'db' | 'clock' | 'config' | 'envelope' | 'outbound' | 'txtRecords'> {
  audit: Audit
  /** The dependencies of the sign-in pipeline, which completes a sign-in after the provider has authenticated the user. */
  accounts: AccountDeps
  /** The keys with which teams sign as service providers and decrypt assertions. */
  samlKeys: SamlKeyStore
  /**
   * Returns the URL at which a browser starts to sign out of SAML applications after their sessions have ended; null if there is no application
   * to notify. Afterwards the browser is redirected to `goesOn`, or to `ifPartial` if an application did not sign out.
   */
  leaveApplications(
    sessions: SessionId[],
    findContinuation: () => Promise<{ goesOn: string; ifPartial?: string | undefined }>,
    origin: RequestOrigin,
  ): Promise<string | null>
  /** Rethrows the error, after rendering a page for a browser that accepts one. */
  rejectForBrowser(
    browser: { act: 'sign-out'; http: HttpExchange; frontendUrl: string; requestId: string },
    error: unknown,
    about: URLSearchParams,
  ): never
  /** Cached discovery documents and keys of OpenID providers. */
  oidcProviders: OidcProviders
}
