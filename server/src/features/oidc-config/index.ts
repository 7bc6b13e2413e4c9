/**
 * OIDC configuration: what can be set for the tokens of a team and of each of its applications. So far the signing keys: a team
 * starts with one RS256 key, made when it is first needed.
 *
 * Lives here: the keys, sealed at rest, and which of them signs. Not here: signing with them (oidc-provider).
 * Tables: signing_key_sets, signing_keys. Errors: none yet. Audit: signing_key.created.
 */
export { createSigningKeys, type SigningKeyStore } from './key-store.js'
export { type IssuerKeys, keysOfIssuer, type PublicJwk, type SigningKey } from './signing-key.js'
export { oidcClaims, oidcRegexRules, oidcScopes, oidcTokenPolicies, signingKeySets } from './tables.js'
