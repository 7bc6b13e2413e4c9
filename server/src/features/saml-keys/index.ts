/**
 * SAML keys: RSA keys that sign SAML messages of Keyward and decrypt messages to it, each with a self-signed certificate. Every application has its
 * own keys for its identity provider, and a team has keys as a service provider; the first key is created on demand. They are separate
 * from the token signing keys (oidc-config), because peers pin certificates for years.
 *
 * In this module: encrypted keys, which of them signs, their rollover. Not here: messages (protocols/saml, sso, saml-provider).
 * Tables: saml_keys. Errors: saml_key_*. Audit: saml_key.created, .prepared, .activated, .ended.
 */

import type { SealedColumn } from '../../platform/crypto/rewrap-column.js'
import { deletedAfter, type RetentionRule } from '../../platform/db/retention.js'
import { purgeJob } from '../../platform/jobs/purge-job.js'
import type { Module } from '../../platform/module.js'
import { SAML_KEY_ERRORS } from './errors.js'
import type { ExchangeDeps } from './exchange-keys.js'
import { samlKeyExpiry } from './key-expiry.js'
import type { SamlKeyStore } from './key-store.js'
import { contextOf } from './make-key.js'
import { samlKeyRoutes } from './routes.js'
import { samlKeys } from './tables.js'

export { createSamlKeyStore, type SamlKeyStore, type SamlKeys } from './key-store.js'
export type { SamlKeyOwner } from './owner.js'

export const createSamlKeys = (deps: ExchangeDeps & { samlKeys: SamlKeyStore }): Module => ({
  routes: samlKeyRoutes(deps),
  jobs: [purgeJob(deps, 'saml_keys.purge', SAML_KEY_RETENTION)],
  expiries: [samlKeyExpiry(deps)],
  errors: SAML_KEY_ERRORS,
})

/** The columns that `ENCRYPTION_KEY` encrypts. */
export const SEALED_SAML_KEYS: SealedColumn[] = [{ id: samlKeys.id, sealed: samlKeys.sealedPrivateKey, contextOf }]

export const SAML_KEY_RETENTION: RetentionRule[] = [
  deletedAfter(samlKeys, samlKeys.endsAt, 0, 'when they are no longer published'),
]
