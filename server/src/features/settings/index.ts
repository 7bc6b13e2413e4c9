/**
 * Settings: the record of the instance: name, branding, sign-up domains, MFA requirement, session lifetime, and the team that administers
 * it.
 *
 * Here: reading and changing that record. Not here: the settings of a team (teams), onboarding (authentication).
 * Owns: instance_settings. Errors: none. Audit: instance.updated.
 */
export { DOMAIN_PATTERN, domainAllowed, normalizeDomains } from './email-domain.js'
export {
  claimInstance,
  ensureSettings,
  type InstanceSettings,
  type MfaTerms,
  mfaTermsOf,
  readSettings,
  recordFirstUser,
} from './repository.js'
export { settingsRoutes } from './routes.js'
export { DisplayName, DomainName, HexColor, ImageUrl, isDisplayName, SessionDays } from './schema.js'
export { instanceSettings } from './tables.js'
