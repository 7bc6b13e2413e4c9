import { SECOND } from '../../platform/clock.js'
import { type LdapClient, openLdap } from '../../protocols/ldap/index.js'
import type { DirectoryDeps } from './deps.js'
import { type Directory, readerPassword, serverOf } from './directory.js'

const CONNECT_MS = 5 * SECOND

/**
 * Connects to the directory and proves who reads it. Whoever connects has to close. @throws LdapFailure
 */
export async function connectDirectory(
  { envelope, addressRule, config }: Pick<DirectoryDeps, 'envelope' | 'addressRule' | 'config'>,
  directory: Directory,
): Promise<LdapClient> {
  const client = await openLdap(serverOf(directory), addressRule, {
    connectMs: CONNECT_MS,
    operationMs: config.ldapAnswerSeconds * SECOND,
  })
  try {
    await client.bind(directory.bindDn, readerPassword(envelope, directory))
    return client
  } catch (error) {
    client.close()
    throw error
  }
}
