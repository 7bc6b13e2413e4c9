/**
 * OpenID Connect provider: signs users in to applications. Serves authorization, token, userinfo, logout, introspection,
 * revocation and client registration. One certified engine implements the protocol. It runs in memory, inside Keyward's transactions.
 *
 * In this module: the protocol, issuing and verifying codes, tokens and consents, and `access`: why a user may open an application, also
 * for SAML. One folder for each endpoint. Shared by them: `model` (clients, issuers, signing of access tokens and ID tokens), `clients`
 * (client authentication) and `engine` (grant types). `purge.ts` deletes expired rows.
 * The token endpoint verifies common requests without the engine (`token/verify-token-request.ts`). Not here: configuring an application
 * (applications), its signing keys and token lifetimes (oidc-config), sessions and grants (sessions).
 * Tables: oauth_tokens, revoked_access_tokens, used_proofs, interactions, consents, pushed_requests, device_codes, pending_logouts,
 * form_responses.
 * Errors: issuer_not_found, interaction_not_found, interaction_outdated, application_access_denied, wrong_browser, wrong_user,
 * device_code_not_found, grant_not_found, withdrawn_grant_not_found, logout_not_found, and the error codes of OAuth.
 * Audit: application.registered, application.registration_refused, application.device_not_found, application.consented,
 * application.consent_withdrawn, application.allowed_again, application.signed_in, application.token_issued,
 * application.token_refused, application.token_revoked, application.code_replayed, application.refresh_reused, application.tried,
 * application.logout_told.
 */

import type { Outbound } from '../../platform/http/outbound.js'
import { purgeJob } from '../../platform/jobs/purge-job.js'
import type { Module } from '../../platform/module.js'
import { accessRoutes } from './access/routes.js'
import { authorizeRoutes } from './authorize/routes.js'
import { deviceRoutes } from './device/routes.js'
import { createIssuerDocuments } from './discovery/issuer-documents.js'
import { discoveryRoutes } from './discovery/routes.js'
import { createEngines } from './engine/engines.js'
import { fallbackRoutes } from './engine/routes.js'
import { myGrants } from './grants/my-grants.js'
import { grantRoutes } from './grants/routes.js'
import { presentMyGrant } from './grants/schema.js'
import { introspectionRoutes } from './introspection/routes.js'
import { notifyLogout } from './logout/notify-logout.js'
import { logoutRoutes } from './logout/routes.js'
import { createClients } from './model/client.js'
import type { OidcProviderDeps } from './model/deps.js'
import { OIDC_PROVIDER_ERRORS } from './model/errors.js'
import { OAUTH_DIALECT } from './model/oauth-dialect.js'
import { OIDC_PROVIDER_RETENTION } from './purge.js'
import { registrationRoutes } from './registration/routes.js'
import { tokenRoutes } from './token/routes.js'
import { userinfoRoutes } from './userinfo/routes.js'

export { type ApplicationSignIn, evaluateApplicationPolicies } from './authorize/application-policies.js'
export { findEngineSession as findApplicationSession } from './authorize/browser-session.js'
export { describeRequest } from './authorize/describe-request.js'
export { SEALED_FORM_RESPONSES } from './authorize/form-response.js'
export { admitClientSource, countClientFailure } from './clients/client-limits.js'
export type { EngineSession as ApplicationSession } from './engine/engine-context.js'
export { deleteConsents } from './grants/my-grants.js'
export { storePendingLogout } from './logout/pending-logout.js'
export { rejectForBrowser } from './model/browser-response.js'
export type { OidcProviderDeps } from './model/deps.js'
export { rejection as oidcProviderError } from './model/errors.js'
export { OIDC_PROVIDER_RETENTION } from './purge.js'

export function createOidcProvider(
  parts: Omit<OidcProviderDeps, 'clients' | 'engines' | 'documents'> & { outbound: Outbound },
): Module {
  const engines = createEngines({
    frontendUrl: parts.config.frontendUrl,
    dpopSecret: parts.serverKeys.current('dpop_nonce').key,
    seal: parts.serverKeys.current('access_token').key,
  })
  const deps = { ...parts, clients: createClients(), engines, documents: createIssuerDocuments(parts.config) }
  return {
    routes: [
      accessRoutes,
      authorizeRoutes,
      tokenRoutes,
      deviceRoutes,
      introspectionRoutes,
      userinfoRoutes,
      logoutRoutes,
      registrationRoutes,
      grantRoutes,
      discoveryRoutes,
      fallbackRoutes,
    ].flatMap((routesOf) => routesOf(deps)),
    jobs: [notifyLogout(deps), purgeJob(deps, 'oidc.purge', OIDC_PROVIDER_RETENTION)],
    errors: OIDC_PROVIDER_ERRORS,
    accountData: { grants: async (actor) => (await myGrants(deps, actor)).map(presentMyGrant) },
    dialects: [OAUTH_DIALECT],
  }
}
