/**
 * OIDC configuration: the settings for the tokens of a team and its applications: scopes, claims with their rules, lifetimes, and signing
 * keys. A team starts with one RS256 key, which is generated on first use.
 *
 * In this module: the configuration; `claims`: the standard claims of a user (`user-claims.ts`) and the claims that a team maps from attributes
 * (`attributes.ts`, `custom-claims.ts`); `keys`: the signing keys, encrypted at rest. Not here:
 * building and signing tokens (oidc-provider).
 * Tables: signing_key_sets, signing_keys, oidc_scopes, oidc_claims, oidc_regex_rules, oidc_token_policies. Errors:
 * scope_not_found, scope_exists, standard_scope, claim_not_found, claim_exists, rule_not_found, rule_in_use,
 * signing_key_not_found, kid_exists, key_retired. Audit: oidc_scope.*, oidc_claim.*, regex_rule.*, signing_key.*, token_policy.updated.
 */
import type { SealedColumn } from '../../platform/crypto/rewrap-column.js'
import type { Module } from '../../platform/module.js'
import type { OidcConfigDeps } from './deps.js'
import { OIDC_CONFIG_ERRORS } from './errors.js'
import { signingKeyCertificateExpiry } from './keys/certificate-expiry.js'
import { contextOf, purgeSigningKeys, type SigningKeyStore } from './keys/key-store.js'
import { oidcConfigRoutes } from './routes.js'
import { signingKeys } from './tables.js'

export { customClaims } from './claims/custom-claims.js'
export {
  CLAIMS_BY_SCOPE,
  PROFILE_COLUMNS,
  standardClaimsOf,
  toProfile,
  toUserAttributes,
  USER_ATTRIBUTE_COLUMNS,
  type UserAttributes,
  type UserAttributesRow,
} from './claims/user-claims.js'
export {
  CLIENT_CONFIG_COLUMN,
  type ClientConfig,
  clientConfigOf,
  type StoredClientConfig,
  type TargetToken,
} from './client-config.js'
export { deleteApplicationKeys } from './keys/key-repository.js'
export { createSigningKeyStore, type SigningKeyStore } from './keys/key-store.js'
export { type IssuerKeys, keysOfIssuer, type PublicJwk, type SigningKey } from './keys/signing-key.js'
export { allowedScopes, describedScopes } from './scopes/standard-scopes.js'
export { oidcClaims, oidcRegexRules, oidcScopes, oidcTokenPolicies, signingKeySets } from './tables.js'
export { DEFAULT_TOKEN_POLICY, type TokenPolicy } from './token-policy/token-policy.js'

export const createOidcConfig = (deps: OidcConfigDeps & { signingKeys: SigningKeyStore }): Module => ({
  routes: oidcConfigRoutes(deps),
  jobs: [purgeSigningKeys(deps)],
  errors: OIDC_CONFIG_ERRORS,
  expiries: [signingKeyCertificateExpiry(deps)],
})

/** The columns that `ENCRYPTION_KEY` encrypts. */
export const SEALED_SIGNING_KEYS: SealedColumn[] = [
  { id: signingKeys.id, sealed: signingKeys.sealedPrivateKey, contextOf },
]
