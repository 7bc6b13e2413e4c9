import { anHourAfterExpiry, type RetentionRule } from '../../platform/db/retention.js'
import { purgeJob } from '../../platform/jobs/purge-job.js'
import type { Module } from '../../platform/module.js'
import { nameIdData } from './account-data.js'
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
  jobs: [purgeJob(deps, 'saml_provider.purge', SAML_PROVIDER_RETENTION)],
  errors: SAML_PROVIDER_ERRORS,
  accountData: nameIdData(deps.db),
})

/** Requests and sign-outs in progress. */
export const SAML_PROVIDER_RETENTION: RetentionRule[] = [samlRequests, samlLogouts, samlHeardLogouts].map(
  anHourAfterExpiry,
)
