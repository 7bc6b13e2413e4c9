/**
 * SAML keys: what our messages of SAML are signed by, and what is encrypted for us, each with a self-signed certificate by which peers
 * know it. An application's identity provider has keys of its own, and so has a team as a service provider; the first one is made when
 * it is first needed. They are apart from those that sign tokens (oidc-config), because peers keep certificates for years.
 *
 * Lives here: the keys, sealed at rest, and which of them signs; their exchange. Not here: messages (protocols/saml, sso, saml-provider).
 * Tables: saml_keys. Errors: saml_key_*. Audit: saml_key.created, .prepared, .activated, .ended.
 */
export { SAML_KEY_ERRORS } from './errors.js'
export { createSamlKeys, type SamlKeyStore } from './key-store.js'
export type { SamlKeyOwner } from './owner.js'
export { purgeSamlKeys } from './purge.js'
export { samlKeyRoutes } from './routes.js'
export type { SamlKeys } from './usable-keys.js'
