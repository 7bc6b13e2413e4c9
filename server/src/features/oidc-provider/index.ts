/**
 * OpenID Connect provider: applications sign people in. Authorize, token, userinfo, sign-out, introspection and revocation over
 * one certified engine, which runs in memory inside our transactions and under our names.
 *
 * Lives here: the protocol, what it hands out (codes, refresh tokens, access tokens, consents) and the judgement of it. Not here:
 * registering an application (applications), its keys and lifetimes (oidc-config), the session and the grant behind what is
 * handed out (sessions).
 * Tables: oauth_tokens, revoked_access_tokens, used_proofs, interactions, consents, pushed_requests, device_codes, pending_logouts.
 * Errors: issuer_not_found, interaction_not_found, interaction_outdated, application_access_denied, wrong_browser, wrong_user,
 * device_code_not_found, grant_not_found, withdrawn_grant_not_found, logout_not_found, and those of OAuth. Audit:
 * application.registered, application.registration_refused, application.device_not_found, application.consented, application.consent_withdrawn, application.allowed_again, application.signed_in, application.token_issued, application.token_refused, application.token_revoked,
 * application.code_replayed, application.refresh_reused, application.tried, application.logout_told.
 */
import type { Outbound } from '../../platform/http/outbound.js'
import type { Route } from '../../platform/http/route.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { createIssuerDocuments } from './discovery/issuer-documents.js'
import { metadataRoutes } from './discovery/well-known-routes.js'
import { createEngines } from './engine/engines.js'
import { grantRoutes } from './grants/routes.js'
import { issuerRoutes } from './issuer-routes.js'
import { notifyLogout } from './logout/notify-logout.js'
import { createClients } from './model/client.js'
import type { OidcProviderDeps } from './model/deps.js'
import { oauthRoutes } from './oauth-routes.js'
import { purgeOidcProvider } from './purge.js'
import { registrationRoutes } from './registration/routes.js'

export { type AskedFor, askApplicationRules } from './authorize/application-policies.js'
export { findEngineSession as findApplicationSession } from './authorize/browser-session.js'
export { describeRequest } from './authorize/describe-request.js'
export { admitClientSource, countClientFailure } from './clients/client-limits.js'
export type { EngineSession as ApplicationSession } from './engine/engine-context.js'
export { forgetConsents } from './grants/forget-consents.js'
export { keepPendingLogout } from './logout/pending-logout.js'
export { rejectForBrowser } from './model/browser-response.js'
export { OIDC_PROVIDER_ERRORS, rejection as oidcProviderError } from './model/errors.js'

/** The room, assembled: its routes and its jobs. */
export function createOidcProvider(
  parts: Omit<OidcProviderDeps, 'clients' | 'engines' | 'documents'> & { outbound: Outbound },
): {
  routes: Route[]
  jobs: JobKind[]
} {
  const engines = createEngines({
    frontendUrl: parts.config.frontendUrl,
    dpopSecret: parts.serverKeys.current('dpop_nonce').key,
    seal: parts.serverKeys.current('access_token').key,
  })
  const deps = { ...parts, clients: createClients(), engines, documents: createIssuerDocuments(parts.config) }
  return {
    routes: [
      ...oauthRoutes(deps),
      ...issuerRoutes(deps),
      ...metadataRoutes(deps),
      ...registrationRoutes(deps),
      ...grantRoutes(deps),
    ],
    jobs: [notifyLogout(deps), purgeOidcProvider(deps)],
  }
}
