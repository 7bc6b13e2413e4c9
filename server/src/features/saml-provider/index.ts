/**
 * SAML identity provider: signs users in to SAML 2.0 applications, and out.
 *
 * Here: `sign-in` (requests, decisions and responses), `assertion` (NameIDs, attributes and the sessions that applications received),
 * `sign-out` (single logout through all applications of a session), `metadata` (of Keyward and of service providers).
 * Not here: verification and creation of SAML messages (protocols/saml), registration (applications), keys and certificates (saml-keys),
 * access rules and policies for applications (oidc-provider, shared with OpenID Connect).
 * Owns: saml_requests, saml_sessions, saml_further_names, saml_name_ids, saml_logouts, saml_heard_logouts.
 * Errors: saml_request_*, saml_application_stopped, saml_not_configured, saml_session_not_shown, saml_idp_initiated_refused,
 * saml_response_too_large, saml_logout_incomplete, saml_metadata_unreadable. Audit: application.saml_signed_in, user.logout.
 */
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SessionId, UserId } from '../../platform/ids.js'
import { samlUses } from './assertion/notified-sessions.js'
import { metadataRoutes } from './metadata/routes.js'
import type { SamlProviderDeps } from './model/deps.js'
import { purgeSamlProvider } from './purge.js'
import { signInRoutes } from './sign-in/routes.js'
import { leaveApplications } from './sign-out/leave-applications.js'
import { signOutRoutes } from './sign-out/routes.js'
import type { Continuation } from './sign-out/stored-logout.js'

export { continueNotified, endSamlSessions } from './assertion/notified-sessions.js'
export { SAML_PROVIDER_ERRORS } from './errors.js'
export { describeSamlRequest } from './sign-in/describe-request.js'

/** Returns the routes and jobs of the module, and the functions that earlier modules call. */
export const createSamlProvider = (deps: SamlProviderDeps) => ({
  routes: [...metadataRoutes(deps), ...signInRoutes(deps), ...signOutRoutes(deps)],
  jobs: [purgeSamlProvider(deps)],
  leaveApplications: (session: SessionId, findContinuation: () => Promise<Continuation>, origin: RequestOrigin) =>
    leaveApplications(deps, session, findContinuation, origin),
  samlUses: (user: UserId) => samlUses(deps.db, user),
})
