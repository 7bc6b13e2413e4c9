/**
 * SAML identity provider: applications that trust us by SAML 2.0 sign people in, and out.
 *
 * Lives here: what of a service provider's messages becomes of its application, its people and their sessions; the requests that wait for
 * a person, and the way of a sign-out through the applications. Not here: judging and writing messages (protocols/saml), the registration
 * (applications), keys and certificates (saml-keys), what a session must be for an application and what the policies say of it
 * (oidc-provider, whose rules are the same).
 * Tables: saml_requests, saml_sessions, saml_further_names, saml_name_ids, saml_logouts, saml_heard_logouts. Errors: saml_request_*, saml_application_stopped, saml_not_configured,
 * saml_session_not_shown, saml_idp_initiated_refused, saml_response_too_large, saml_logout_incomplete, saml_metadata_unreadable. Audit: application.saml_signed_in, user.logout.
 */
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SessionId, UserId } from '../../platform/ids.js'
import type { SamlProviderDeps } from './deps.js'
import { leaveApplications } from './leave-applications.js'
import { samlUses } from './notified-sessions.js'
import { purgeSamlProvider } from './purge.js'
import { samlProviderRoutes } from './routes.js'
import type { GoesOn } from './stored-logout.js'

export { continueNotified } from './continue-notified.js'
export { describeSamlRequest } from './describe-request.js'
export { endSamlSessions } from './end-saml-sessions.js'
export { SAML_PROVIDER_ERRORS } from './errors.js'

/** The room, assembled: its routes and its jobs, and what rooms to its left ask of it. */
export const createSamlProvider = (deps: SamlProviderDeps) => ({
  routes: samlProviderRoutes(deps),
  jobs: [purgeSamlProvider(deps)],
  leaveApplications: (session: SessionId, goesOn: () => Promise<GoesOn>, origin: RequestOrigin) =>
    leaveApplications(deps, session, goesOn, origin),
  samlUses: (user: UserId) => samlUses(deps.db, user),
})
