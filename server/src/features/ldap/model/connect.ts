import { SECOND } from '../../../platform/clock.js'
import { type LdapClient, openLdap } from '../../../protocols/ldap/index.js'
import type { DirectoryDeps } from './deps.js'
import { bindPasswordOf, type Directory, serverOf } from './directory.js'

const CONNECT_MS = 5 * SECOND

/** Connects and binds to the directory. The caller must close the client. @throws LdapFailure */
export async function connectDirectory(
  { envelope, addressRules, config }: Pick<DirectoryDeps, 'envelope' | 'addressRules' | 'config'>,
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
