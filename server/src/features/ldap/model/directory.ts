import { type Clock, fromNow, MINUTE, SECOND } from '../../../platform/clock.js'
import type { Envelope } from '../../../platform/crypto/envelope.js'
import type { Transaction } from '../../../platform/db/database.js'
import { type LdapClient, type LdapServer, openLdap } from '../../../protocols/ldap/index.js'
import { permissionsOfEditor } from '../../members/index.js'
import type { directories } from '../tables.js'
import type { DirectoryDeps } from './deps.js'
import { rejection } from './errors.js'

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
  'pageSize',
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
export function serverOf({ url, startTls, caCertificate }: Directory): LdapServer {
  const { protocol, hostname, port } = new URL(url)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : (PORTS[protocol] ?? 389),
    security: protocol === 'ldaps:' ? 'tls' : startTls ? 'start_tls' : 'none',
    authorities: caCertificate ?? undefined,
  }
}

const CONNECT_MS = 5 * SECOND

/** Connects and binds to the directory. The caller must close the client. @throws LdapFailure */
export async function connectDirectory(
  { envelope, addressRules, config }: DirectoryDeps,
  directory: Directory,
): Promise<LdapClient> {
  const client = await openLdap(serverOf(directory), addressRules.ofTeam(directory.organizationId), {
    connectMs: CONNECT_MS,
    operationMs: config.ldapAnswerSeconds * SECOND,
  })
  try {
    await client.bind(directory.bindDn, bindPasswordOf(envelope, directory))
    return client
  } catch (error) {
    client.close()
    throw error
  }
}

/**
 * Returns the permissions of the directory: those that its last editor had when saving it and still has. Runs in the caller's
 * transaction.
 * @throws directory_orphaned if the last editor's account is gone or lost `directory:write`
 */
export async function actingPermissions(tx: Transaction, directory: Directory): Promise<ReadonlySet<string>> {
  const permissions = await permissionsOfEditor(tx, directory)
  if (!permissions.has('directory:write')) throw rejection('directory_orphaned')
  return permissions
}

/**
 * Returns the time of the next sync, up to a tenth of the interval early, so that directories saved in the same hour do not all sync at
 * once. Returns null without a schedule.
 */
export function nextSync(
  clock: Clock,
  { enabled, scheduleMinutes }: Pick<Directory, 'enabled' | 'scheduleMinutes'>,
): Date | null {
  if (!enabled || scheduleMinutes === 0) return null
  return fromNow(clock, scheduleMinutes * MINUTE * (1 - Math.random() / 10))
}
