import type { Envelope } from '../../../platform/crypto/envelope.js'
import type { LdapServer } from '../../../protocols/ldap/index.js'
import type { directories } from '../tables.js'

export type Directory = typeof directories.$inferSelect

/** The settings that an administrator writes. */
export const SETTINGS = [
  'enabled',
  'preset',
  'url',
  'startTls',
  'caCertificate',
  'baseDn',
  'bindDn',
  'userFilter',
  'groupFilter',
  'attributeMapping',
  'scheduleMinutes',
  'signInEnabled',
] as const satisfies readonly (keyof Directory)[]

export type DirectorySettings = Pick<Directory, (typeof SETTINGS)[number]>

/** Returns the encryption context of a directory's bind password. */
export const contextOfPassword = ({ id }: Pick<Directory, 'id'>): string => `directory:${id}`

/** Returns the decrypted password of the bind DN. */
export const bindPasswordOf = (envelope: Envelope, directory: Pick<Directory, 'id' | 'bindPassword'>): string =>
  envelope.open(directory.bindPassword, contextOfPassword(directory)).toString()

const PORTS: Record<string, number> = { 'ldap:': 389, 'ldaps:': 636 }

/** Returns the server of the configured URL. */
export function serverOf({
  url,
  startTls,
  caCertificate,
}: Pick<Directory, 'url' | 'startTls' | 'caCertificate'>): LdapServer {
  const { protocol, hostname, port } = new URL(url)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : (PORTS[protocol] ?? 389),
    security: protocol === 'ldaps:' ? 'tls' : startTls ? 'start_tls' : 'none',
    authorities: caCertificate ?? undefined,
  }
}
