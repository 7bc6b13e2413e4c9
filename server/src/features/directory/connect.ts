import { SECOND } from '../../platform/clock.js'
import { type LdapClient, openLdap } from '../../protocols/ldap/index.js'
import type { DirectoryDeps } from './deps.js'
import { type Directory, readerPassword, serverOf } from './directory.js'

/** A page of 500 entries comes within a second; a server that takes half a minute is not well. */
const LIMITS = { connectMs: 5 * SECOND, operationMs: 30 * SECOND }

/**
 * Connects to the directory and proves who reads it. Whoever connects has to close. @throws LdapFailure
 */
export async function connectDirectory(
  { envelope, addressRule }: Pick<DirectoryDeps, 'envelope' | 'addressRule'>,
  directory: Directory,
): Promise<LdapClient> {
  const client = await openLdap(serverOf(directory), addressRule, LIMITS)
  try {
    await client.bind(directory.bindDn, readerPassword(envelope, directory))
    return client
  } catch (error) {
    client.close()
    throw error
  }
}
