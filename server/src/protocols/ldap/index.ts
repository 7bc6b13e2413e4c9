/**
 * LDAP (RFC 4511) as a client that trusts no server: connections with their TLS, binds, searches page by page, names and filters. The
 * library `ldapts` is used here alone; what it reads is checked before.
 */
export { isDn, normalizeDn } from './distinguished-name.js'
export { filterError } from './filters.js'
export { type LdapClient, type LdapPage, type LdapSearch, openLdap } from './ldap-client.js'
export type { LdapEntry } from './ldap-entry.js'
export { LdapFailure } from './ldap-failure.js'
export type { LdapServer } from './open-connection.js'
