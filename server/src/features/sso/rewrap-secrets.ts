import { rewrapColumn } from '../../platform/crypto/rewrap-column.js'
import type { SsoProviderId } from '../../platform/ids.js'
import type { ProviderDeps } from './deps.js'
import { contextOfSecret } from './provider.js'
import { ssoProviders } from './tables.js'

/** Wraps every client secret under the first ENCRYPTION_KEY. Run at the start. */
export const rewrapClientSecrets = (deps: Pick<ProviderDeps, 'db' | 'envelope'>): Promise<void> =>
  rewrapColumn(deps, {
    table: ssoProviders,
    id: ssoProviders.id,
    sealed: ssoProviders.oidcClientSecret,
    contextOf: (id: SsoProviderId) => contextOfSecret({ id }),
  })
