import type { Clock } from '../../../platform/clock.js'
import type { Config } from '../../../platform/config/config.js'
import type { Database } from '../../../platform/db/database.js'
import type { Countries } from '../../../platform/geo/countries.js'
import type { Outbound } from '../../../platform/http/outbound.js'
import type { Throttle } from '../../../platform/throttle/throttle.js'
import type { Audit } from '../../audit/index.js'
import type { DecideSignOn } from '../../policies/index.js'
import type { SamlKeyStore } from '../../saml-keys/index.js'

export interface SamlProviderDeps {
  db: Database
  clock: Clock
  config: Config
  audit: Audit
  throttle: Throttle
  countries: Countries
  outbound: Outbound
  /** Evaluates the sign-on policies of a team. */
  decideSignOn: DecideSignOn
  samlKeys: SamlKeyStore
}
