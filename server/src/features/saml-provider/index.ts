/**
 * SAML identity provider: signs users in to SAML 2.0 applications, and out.
 *
 * In this module: `sign-in` (requests, decisions and responses), `assertion` (NameIDs, attributes and the sessions that applications received),
 * `sign-out` (single logout through all applications of a session), `metadata` (of Keyward and of service providers).
 * Not here: verification and creation of SAML messages (protocols/saml), registration (applications), keys and certificates (saml-keys),
 * access rules and policies for applications (oidc-provider, shared with OpenID Connect).
 * Tables: saml_requests, saml_sessions, saml_further_names, saml_name_ids, saml_logouts, saml_heard_logouts.
 * Errors: saml_request_*, saml_application_stopped, saml_not_configured, saml_session_not_shown, saml_idp_initiated_refused,
 * saml_response_too_large, saml_logout_incomplete, saml_metadata_unreadable. Audit: application.saml_signed_in, user.logout.
 */
import { lt } from 'drizzle-orm'
import { HOUR } from '../../platform/clock.js'
import { deleteInBatches } from '../../platform/db/delete-in-batches.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import type { Module } from '../../platform/module.js'
import { SAML_PROVIDER_ERRORS } from './errors.js'
import { metadataRoutes } from './metadata/routes.js'
import type { SamlProviderDeps } from './model/deps.js'
import { signInRoutes } from './sign-in/routes.js'
import { signOutRoutes } from './sign-out/routes.js'
import { samlHeardLogouts, samlLogouts, samlRequests } from './tables.js'

export { continueNotified, endSamlSessions, samlUses } from './assertion/notified-sessions.js'
export type { SamlProviderDeps } from './model/deps.js'
export { describeSamlRequest } from './sign-in/describe-request.js'
export { leaveApplications } from './sign-out/leave-applications.js'

export const createSamlProvider = (deps: SamlProviderDeps): Module => ({
  routes: [...metadataRoutes(deps), ...signInRoutes(deps), ...signOutRoutes(deps)],
  jobs: [purgeSamlProvider(deps)],
  errors: SAML_PROVIDER_ERRORS,
})

/** Deletes expired requests and sign-outs. */
const purgeSamlProvider = ({ db, clock }: Pick<SamlProviderDeps, 'db' | 'clock'>): JobKind => ({
  kind: 'saml_provider.purge',
  every: HOUR,
  delaysFirstRun: true,
  run: async () => {
    for (const table of [samlRequests, samlLogouts, samlHeardLogouts])
      await deleteInBatches(db, table, lt(table.expiresAt, new Date(clock.ms() - HOUR)))
  },
})
