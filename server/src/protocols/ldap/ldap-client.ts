import { Client, FilterParser, ResultCodeError } from 'ldapts'
import { type LdapEntry, ldapEntry } from './ldap-entry.js'
import { LdapFailure } from './ldap-failure.js'
import { MessageSocket } from './message-socket.js'
import { type AddressRule, type LdapServer, openConnection } from './open-connection.js'
import { PageControl } from './page-control.js'

export interface LdapLimits {
  /** Until the connection stands, its TLS included, in milliseconds. */
  connectMs: number
  /** Until the answer to one request is whole. */
  operationMs: number
}

export interface LdapSearch {
  base: string
  /** Default `sub`: the base and everything below. */
  scope?: 'base' | 'sub'
  /** RFC 4515. */
  filter: string
  attributes: string[]
  /** Those whose values are bytes and no text. */
  binary?: string[]
  pageSize: number
}

export interface LdapPage {
  entries: LdapEntry[]
  /** References to other servers that stood among them: they are not followed. */
  references: number
}

/** A connection to a directory. Every method throws `LdapFailure`; after one the connection is of no use but to be closed. */
export interface LdapClient {
  /** @throws LdapFailure wrong_credentials, also for an empty password, which would be no proof (RFC 4513 5.1.2) and is never sent */
  bind(dn: string, password: string): Promise<void>
  /** Page by page, in no order; after a failure nobody knows what is missing. */
  pages(search: LdapSearch): AsyncGenerator<LdapPage>
  /** One entry; undefined when there is none. The empty name is the server itself. */
  read(dn: string, attributes: string[], binary?: string[]): Promise<LdapEntry | undefined>
  close(): void
}

/**
 * Connects to a directory and, where the server says so, begins TLS before anything else is said. A connection that is lost is not made
 * anew: what comes next would be said in the clear, and by nobody.
 * @throws LdapFailure unreachable, timeout, tls_failed
 */
export async function openLdap(server: LdapServer, rule: AddressRule, limits: LdapLimits): Promise<LdapClient> {
  const socket = new MessageSocket(await openConnection(server, rule, limits.connectMs))
  let isUsed = false
  const client = new Client({
    // Read by nobody: the connection is given.
    url: 'ldap://directory',
    timeout: limits.operationMs,
    createConnection: () => {
      if (isUsed) throw new LdapFailure('cut', 'The connection was lost')
      isUsed = true
      return socket
    },
  })

  const ask = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw asFailure(error, socket, limits)
    }
  }

  const searchOnce = async (search: LdapSearch, cookie: Buffer): Promise<LdapPage> => {
    const { base, scope = 'sub', filter, attributes, binary = [], pageSize } = search
    socket.cookie = undefined
    const { searchEntries, searchReferences } = await client.search(
      base,
      { scope, filter: FilterParser.parseString(filter), attributes, explicitBufferAttributes: binary },
      [new PageControl(pageSize, cookie)],
    )
    return { entries: searchEntries.map(ldapEntry), references: searchReferences.length }
  }

  return {
    bind: (dn, password) => {
      if (password === '') throw new LdapFailure('wrong_credentials', 'The password is empty')
      return ask(() => client.bind(dn, password))
    },
    async *pages(search) {
      let cookie = Buffer.alloc(0)
      do {
        yield await ask(() => searchOnce(search, cookie))
        cookie = Buffer.from(socket.cookie ?? [])
      } while (cookie.length > 0)
    },
    read: (dn, attributes, binary) =>
      ask(async () => {
        const search = { base: dn, scope: 'base', filter: '(objectClass=*)', pageSize: 1, attributes } as const
        const { entries } = await searchOnce({ ...search, ...(binary && { binary }) }, Buffer.alloc(0))
        return entries[0]
      }).catch((error: unknown) => {
        if (error instanceof LdapFailure && error.kind === 'base_not_found') return undefined
        throw error
      }),
    close: () => {
      client.unbind().catch(() => {})
      socket.destroy()
    },
  }
}

/** RFC 4511 appendix A. */
const CODES: Record<number, [kind: LdapFailure['kind'], message: string]> = {
  3: ['timeout', 'The server gave the search up because it took too long'],
  4: ['size_limit', 'The server has more entries than it gives out, and does not page'],
  8: ['refused', 'The server takes no password without TLS'],
  10: ['refused', 'The server names another one that has this (a referral), which is not followed'],
  11: ['size_limit', 'The server has more entries than it gives out'],
  13: ['refused', 'The server takes no password without TLS'],
  32: ['base_not_found', 'There is no entry of this name'],
  34: ['base_not_found', 'The server does not take this for a name'],
  48: ['wrong_credentials', 'The server lets nobody in by a password'],
  49: ['wrong_credentials', 'The server does not take this name with this password'],
  50: ['refused', 'The account may not read this'],
}

function asFailure(error: unknown, socket: MessageSocket, { operationMs }: LdapLimits): LdapFailure {
  if (error instanceof LdapFailure) return error
  if (socket.failure) return socket.failure
  if (error instanceof ResultCodeError) {
    const [kind, message] = CODES[error.code] ?? ['refused', `The server refused it (result code ${error.code})`]
    return new LdapFailure(kind, message)
  }
  if (error instanceof Error && /timed out/.test(error.message))
    return new LdapFailure('timeout', `No answer within ${operationMs / 1_000} seconds`)
  return new LdapFailure('cut', 'The connection ended in the middle')
}
