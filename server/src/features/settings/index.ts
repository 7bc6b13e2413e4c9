/**
 * Settings: the record of the instance: name, branding, sign-up domains, MFA requirement, session lifetime, and the team that administers
 * it.
 *
 * In this module: reading and changing that record. Not here: the settings of a team (teams), onboarding (authentication).
 * Tables: instance_settings. Errors: none. Audit: instance.updated.
 */
import type { Module } from '../../platform/module.js'
import { ensureSettings } from './repository.js'
import { settingsRoutes } from './routes.js'
import type { SettingsDeps } from './update-settings.js'

export { DOMAIN_PATTERN, domainAllowed, normalizeDomains } from './email-domain.js'
export {
  claimInstance,
  type InstanceSettings,
  type MfaTerms,
  mfaTermsOf,
  readSettings,
  recordFirstUser,
  writeSetupToken,
} from './repository.js'
export { DisplayName, DomainName, HexColor, ImageUrl, isDisplayName, SessionDays } from './schema.js'
export { instanceSettings } from './tables.js'

export const createSettings = (deps: SettingsDeps): Module => ({
  routes: settingsRoutes(deps),
  startup: () => ensureSettings(deps.db, deps.clock),
})
