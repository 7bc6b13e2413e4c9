import type { Envelope } from '../../platform/crypto/envelope.js'
import type { LdapServer } from '../../protocols/ldap/index.js'
import type { directories } from './tables.js'

export type Directory = typeof directories.$inferSelect

/** What an administrator writes; the rest is counted or noted. */
export type DirectorySettings = Pick<
  Directory,
  | 'enabled'
  | 'preset'
  | 'url'
  | 'startTls'
  | 'caCertificate'
  | 'baseDn'
  | 'bindDn'
  | 'userFilter'
  | 'groupFilter'
  | 'attributeMapping'
  | 'scheduleMinutes'
  | 'signInEnabled'
>

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
] as const satisfies readonly (keyof DirectorySettings)[]

/** Where the password of a directory is sealed to. */
export const contextOfPassword = ({ id }: Pick<Directory, 'id'>): string => `directory:${id}`

/** The password by which the service reads it. */
export const readerPassword = (envelope: Envelope, directory: Pick<Directory, 'id' | 'bindPassword'>): string =>
  envelope.open(directory.bindPassword, contextOfPassword(directory)).toString()

const PORTS: Record<string, number> = { 'ldap:': 389, 'ldaps:': 636 }

/** The server that an address names. */
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
