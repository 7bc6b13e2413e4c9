import { DAY } from '../../platform/clock.js'
import type { SealedColumn, SealedValues } from '../../platform/crypto/rewrap-column.js'
import { labelsOf } from '../../platform/db/labels.js'
import { anHourAfterExpiry, deletedAfter, type RetentionRule } from '../../platform/db/retention.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SessionId, SsoProviderId } from '../../platform/ids.js'
import { purgeJob } from '../../platform/jobs/purge-job.js'
import type { Module } from '../../platform/module.js'
import { domainJobs } from './domains/jobs.js'
import { domainRoutes } from './domains/routes.js'
import { SSO_ERRORS } from './errors.js'
import { identityData } from './linking/account-data.js'
import type { SsoDeps } from './model/deps.js'
import { contextOfSecret } from './model/provider.js'
import { createOidcProviders } from './oidc/oidc-providers.js'
import { oidcSignInRoutes } from './oidc/routes.js'
import { providerCertificateExpiry } from './providers/certificate-expiry.js'
import { providerRoutes } from './providers/routes.js'
import { reportRoutes } from './reports/routes.js'
import { samlSignInRoutes } from './saml/routes.js'
import { metadataJobs } from './saml-metadata/jobs.js'
import { SSO_MAILS } from './saml-metadata/mails.js'
import { metadataRoutes } from './saml-metadata/routes.js'
import { warnOfCertificates } from './saml-metadata/warn-of-certificates.js'
import { type AfterSignOut, leaveByProvider } from './sign-out/leave-by-provider.js'
import { logoutRoutes } from './sign-out/routes.js'
import { ssoAttempts, ssoProviders, ssoSeenMessages, ssoSignIns } from './tables.js'

export { verifiedDomains } from './domains/verified-domains.js'
export { MOVE_EXTERNAL_IDENTITIES } from './linking/identity-repository.js'
export type { SsoDeps } from './model/deps.js'
export { orphanProvidersOf } from './model/repository.js'
export { disableProviders } from './providers/stored-providers.js'
export type { Finding } from './reports/findings.js'
export { continueProviderSession, recordAsserted, rejectAsserted } from './sign-in/asserted-sessions.js'
export { providerLogoutUrl } from './sign-out/leave-by-provider.js'
export { isNotifiedOfEnd } from './sign-out/saml-sessions.js'

interface Sso extends Module {
  /** Returns the URL at which a browser continues the sign-out of an ended session; null if no party must be notified. */
  leaveByProvider(session: SessionId, after: AfterSignOut, origin: RequestOrigin): Promise<string | null>
}

export function createSso(given: Omit<SsoDeps, 'oidcProviders'>): Sso {
  const deps: SsoDeps = { ...given, oidcProviders: createOidcProviders(given) }
  return {
    routes: [
      ...providerRoutes(deps),
      ...metadataRoutes(deps),
      ...reportRoutes(deps),
      ...oidcSignInRoutes(deps),
      ...samlSignInRoutes(deps),
      ...logoutRoutes(deps),
      ...domainRoutes(deps),
    ],
    jobs: [
      purgeJob(deps, 'sso.purge', SSO_RETENTION),
      ...metadataJobs(deps),
      ...domainJobs(deps),
      warnOfCertificates(deps),
    ],
    errors: SSO_ERRORS,
    expiries: [providerCertificateExpiry(deps)],
    mails: SSO_MAILS,
    accountData: identityData(deps.db),
    labels: { sso_provider: labelsOf(ssoProviders, ssoProviders.name) },
    leaveByProvider: (session, after, origin) => leaveByProvider(deps, session, after, origin),
  }
}

/** The columns that `ENCRYPTION_KEY` encrypts. */
export const SEALED_CLIENT_SECRETS: SealedColumn[] = [
  {
    id: ssoProviders.id,
    sealed: ssoProviders.oidcClientSecret,
    contextOf: (id: SsoProviderId) => contextOfSecret({ id }),
  },
]

/** Secrets of sign-ins in progress, which expire within minutes. */
export const PENDING_SIGN_IN_SECRETS: SealedValues[] = [
  { sealed: ssoAttempts.payload, member: 'verifier' },
  { sealed: ssoAttempts.payload, member: 'device' },
]

const RECORDED_FOR = 30 * DAY

export const SSO_RETENTION: RetentionRule[] = [
  anHourAfterExpiry(ssoAttempts),
  anHourAfterExpiry(ssoSeenMessages),
  deletedAfter(ssoSignIns, ssoSignIns.createdAt, RECORDED_FOR, 'after 30 days'),
]
