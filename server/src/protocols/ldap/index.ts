/**
 * LDAP client (RFC 4511) for untrusted servers: connections with TLS, binds, paged searches, distinguished names and filters. The only
 * place that uses `ldapts`; every message is validated before the library parses it.
 */
export { isDn, normalizeDn } from './distinguished-name.js'
export { filterError } from './filters.js'
export { type LdapClient, type LdapEntry, type LdapPage, type LdapSearch, openLdap } from './ldap-client.js'
export { LdapFailure } from './ldap-failure.js'
export type { LdapServer } from './open-connection.js'
