/**
 * Settings: the one record of the instance, its name and look, who may sign up, whether a second factor is asked for, and which
 * team administers it.
 *
 * Lives here: reading and changing that record. Not here: a team's own settings (organizations), onboarding (accounts).
 * Tables: instance_settings. Errors: none of its own. Audit: instance.updated.
 */
export { DOMAIN_PATTERN, domainAllowed, normalizeDomains } from './email-domain.js'
export {
  claimInstance,
  ensureSettings,
  type InstanceSettings,
  type MfaTerms,
  mfaTermsOf,
  noteFirstUser,
  readSettings,
} from './repository.js'
export { settingsRoutes } from './routes.js'
export { DisplayName, DomainName, HexColor, ImageUrl, isDisplayName, SessionDays } from './schema.js'
export { instanceSettings } from './tables.js'
