import type { Platform } from '../../../platform/platform.js'
import type { Audit } from '../../audit/index.js'
import type { DecideSignOn } from '../../policies/index.js'
import type { SamlKeyStore } from '../../saml-keys/index.js'

export interface SamlProviderDeps
  extends Pick<Platform, 'db' | 'clock' | 'config' | 'throttle' | 'countries' | 'outbound'> {
  audit: Audit
  /** Evaluates the sign-on policies of a team. */
  decideSignOn: DecideSignOn
  samlKeys: SamlKeyStore
}
