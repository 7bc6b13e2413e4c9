/**
 * Single sign-on: the members of a team sign in by the team's own identity provider, and we are its relying party.
 *
 * Lives here: the providers of a team, whom each means by its subjects, the way to a provider and back, what a statement of it leads to
 * (link, join, refuse), the flight recorder of sign-ins and tests, the domains that a team
 * proves. Not here: the steps of a sign-in after the proof (accounts), what
 * is handed out (sessions), signing in to applications by us (oidc-provider). The judge of ID tokens is `protocols/id-token`, that of
 * SAML is `protocols/saml`; the keys that a team signs by there are of the room saml-keys.
 * What holds for both protocols: `statement.ts`, `complete-sign-in.ts` and what it calls. What is OpenID Connect alone: `start-oidc.ts`,
 * `finish-oidc.ts` and what they call; what is SAML alone: `metadata-for.ts`, `refresh-metadata.ts`, `saml-logout.ts`, `start-saml.ts`, `finish-saml.ts`, `sp-metadata.ts` and what they call.
 * Tables: sso_providers, external_identities, sso_attempts, sso_sign_ins, sso_sessions, sso_seen_messages, team_domains. Errors: sso_*, domain_*.
 * Audit: sso_provider.created, .updated, .tested, .deleted, sso_identity.linked, .signed_out, domain.added, .proven, .lost, .removed, user.login, user.created, user.updated, member.added.
 */
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SessionId } from '../../platform/ids.js'
import type { SsoDeps } from './deps.js'
import { domainJobs } from './domain-jobs.js'
import { domainRoutes } from './domain-routes.js'
import { type AfterSignOut, leaveByProvider } from './leave-by-provider.js'
import { logoutRoutes } from './logout-routes.js'
import { metadataJobs } from './metadata-jobs.js'
import { metadataRoutes } from './metadata-routes.js'
import { createOidcProviders } from './oidc-providers.js'
import { purgeSso } from './purge.js'
import { reportRoutes } from './report-routes.js'
import { providerRoutes } from './routes.js'
import { samlSignInRoutes } from './saml-routes.js'
import { oidcSignInRoutes } from './sign-in-routes.js'
import { warnOfCertificates } from './warn-of-certificates.js'

export { continueOpened } from './continue-session.js'
export { disableProviders } from './disable-providers.js'
export { deleteDomains } from './domain-repository.js'
export { SSO_ERRORS } from './errors.js'
export type { Finding } from './findings.js'
export { askProvider } from './leave-by-provider.js'
export { SSO_MAILS } from './mails.js'
export { providerNames } from './provider-names.js'
export { recordAsserted } from './record-asserted.js'
export { rejectAsserted } from './reject-asserted.js'
export { orphanProvidersOf } from './repository.js'
export { rewrapClientSecrets } from './rewrap-secrets.js'
export { isNotifiedOfEnd } from './saml-sessions.js'
export { verifiedDomains } from './verified-domains.js'

/** The room, assembled: its routes and its jobs. */
export function createSso(given: Omit<SsoDeps, 'oidcProviders'>) {
  const { clock, outbound, config } = given
  const deps: SsoDeps = {
    ...given,
    oidcProviders: createOidcProviders({ clock, outbound, httpAllowed: !config.secure }),
  }
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
    /** Where a browser whose session has ended goes to tell of it; null where there is nobody to be told. */
    leaveByProvider: (session: SessionId, after: AfterSignOut, origin: RequestOrigin) =>
      leaveByProvider(deps, session, after, origin),
    jobs: [purgeSso(deps), ...metadataJobs(deps), ...domainJobs(deps), warnOfCertificates(deps)],
  }
}
