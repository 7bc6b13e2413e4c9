/**
 * Single sign-on: members of a team sign in with the team's own identity provider, to which this service is the relying party or service
 * provider.
 *
 * In this module: `providers` (configuration of a team's providers), `oidc` and `saml` (to the provider and back), `saml-metadata`, `sign-in` (what
 * both protocols share), `linking` (from a verified statement to a member, with the mapping of attributes), `sign-out`, `domains` (email domains that a team verifies),
 * `reports` (sign-in log and tests of a provider), `model` (shared by all of them).
 * Not here: the sign-in pipeline after the provider (authentication), sessions and tokens (sessions), sign-in to applications
 * (oidc-provider, saml-provider), verification of ID tokens and assertions (`protocols/id-token`, `protocols/saml`), the keys with which
 * a team signs (saml-keys).
 * Tables: sso_providers, external_identities, sso_attempts, sso_sign_ins, sso_sessions, sso_seen_messages.
 * Errors: sso_*, domain_*. Audit: sso_provider.created, .updated, .tested, .deleted, sso_identity.linked, .signed_out, domain.added,
 * .proven, .lost, .removed, user.login, user.created, user.updated, member.added.
 */

import { lt } from 'drizzle-orm'
import { DAY, fromNow, HOUR } from '../../platform/clock.js'
import type { SealedColumn, SealedValues } from '../../platform/crypto/rewrap-column.js'
import { deleteInBatches } from '../../platform/db/delete-in-batches.js'
import { labelsOf } from '../../platform/db/labels.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SessionId, SsoProviderId } from '../../platform/ids.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
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
    jobs: [purgeSso(deps), ...metadataJobs(deps), ...domainJobs(deps), warnOfCertificates(deps)],
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

/** Deletes expired sign-ins, expired message IDs, and entries of the sign-in log after 30 days. */
const purgeSso = ({ db, clock }: Pick<SsoDeps, 'db' | 'clock'>): JobKind => ({
  kind: 'sso.purge',
  every: HOUR,
  delaysFirstRun: true,
  run: async () => {
    await deleteInBatches(db, ssoAttempts, lt(ssoAttempts.expiresAt, fromNow(clock, -HOUR)))
    // Another node's clock may be behind this one's.
    await deleteInBatches(db, ssoSeenMessages, lt(ssoSeenMessages.expiresAt, fromNow(clock, -HOUR)))
    await deleteInBatches(db, ssoSignIns, lt(ssoSignIns.createdAt, fromNow(clock, -RECORDED_FOR)))
  },
})
