import { BerWriter, Client, Control, type Entry, FilterParser, ResultCodeError } from 'ldapts'
import { LdapFailure } from './ldap-failure.js'
import { MessageSocket } from './message-socket.js'
import { type AddressRule, type LdapServer, openConnection } from './open-connection.js'

export interface LdapLimits {
  /** The time to connect, including TLS, in milliseconds. */
  connectMs: number
  /** The time until the complete response of one request, in milliseconds. */
  operationMs: number
}

export interface LdapSearch {
  base: string
  /** Default `sub`: the base and everything below it. */
  scope?: 'base' | 'sub'
  /** RFC 4515. */
  filter: string
  attributes: string[]
  /** The attributes with binary values. */
  binary?: string[]
  /** The number of entries to request at a time. The client requests fewer if the server rejects this number. */
  pageSize: number
}

/** An entry of a search result. Attribute names are case-insensitive. */
export interface LdapEntry {
  dn: string
  /** Returns the values of an attribute; empty if it is absent. Values are buffers for attributes in `binary`, and for attributes with a value that is not valid UTF-8. */
  values(attribute: string): (string | Buffer)[]
  /** Returns the non-empty string values, trimmed. */
  strings(attribute: string): string[]
  /** Returns the attribute names in lower case, with their options (`member;range=0-1499`). */
  attributes(): string[]
}

export interface LdapPage {
  entries: LdapEntry[]
  /** The number of referrals to other servers, which are not followed. */
  references: number
}

/** A connection to a directory. Methods throw `LdapFailure` on error; the connection can then only be closed. */
export interface LdapClient {
  /**
   * Authenticates the connection. @throws LdapFailure wrong_credentials, also for an empty password, which is never sent, because the
   * server would treat it as anonymous (RFC 4513 section 5.1.2)
   */
  bind(dn: string, password: string): Promise<void>
  /** The page size that the server accepted after it had rejected a larger one; 0 if it accepts only searches without paging. */
  readonly acceptedPageSize: number | undefined
  /**
   * Yields the result in pages, unordered. After a failure the result is incomplete. If the server rejects the page size, tries smaller
   * ones, and finally without paging.
   */
  pages(search: LdapSearch): AsyncGenerator<LdapPage>
  /** Returns one entry; undefined if the entry does not exist or the server rejects the DN as invalid. The empty DN is the root DSE. */
  read(dn: string, attributes: string[], binary?: string[]): Promise<LdapEntry | undefined>
  close(): void
}

/**
 * Connects to a directory and establishes TLS first if configured. A lost connection is not reopened, because the new one would be
 * unencrypted and unauthenticated.
 * @throws LdapFailure unreachable, timeout, tls_failed
 */
export async function openLdap(
  server: LdapServer,
  allowedAddresses: AddressRule,
  limits: LdapLimits,
): Promise<LdapClient> {
  const socket = new MessageSocket(await openConnection(server, allowedAddresses, limits.connectMs))
  let isConnected = false
  const client = new Client({
    // Unused: `createConnection` returns the connection.
    url: 'ldap://directory',
    timeout: limits.operationMs,
    createConnection: () => {
      if (isConnected) throw new LdapFailure('cut', 'The connection was lost')
      isConnected = true
      return socket
    },
  })

  /** Runs an operation and converts its error to `LdapFailure`. */
  const withLdapErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw toFailure(error, socket, limits)
    }
  }

  /** @param pageSize 0 without paging */
  const searchOnce = async (search: LdapSearch, pageSize: number, cookie: Buffer = NO_COOKIE): Promise<LdapPage> => {
    const { base, scope = 'sub', filter, attributes, binary = [] } = search
    socket.cookie = undefined
    const { searchEntries, searchReferences } = await client.search(
      base,
      { scope, filter: FilterParser.parseString(filter), attributes, explicitBufferAttributes: binary },
      pageSize > 0 ? [new PageControl(pageSize, cookie)] : [],
    )
    return { entries: searchEntries.map(ldapEntry), references: searchReferences.length }
  }

  let acceptedPageSize: number | undefined

  /** Returns the first page and its size. @throws the first failure if the server rejects every page size */
  const firstPage = async (search: LdapSearch): Promise<{ page: LdapPage; size: number }> => {
    let rejected: LdapFailure | undefined
    for (let size = Math.min(search.pageSize, acceptedPageSize ?? search.pageSize); ; size >>= 1) {
      try {
        const page = await withLdapErrors(() => searchOnce(search, size))
        if (rejected) acceptedPageSize = size
        return { page, size }
      } catch (error) {
        if (!(error instanceof LdapFailure) || !LIMIT_CODES.includes(error.details.code ?? 0)) throw error
        rejected ??= error
        if (size === 0) throw rejected
      }
    }
  }

  return {
    get acceptedPageSize() {
      return acceptedPageSize
    },
    bind: (dn, password) => {
      if (password === '') throw new LdapFailure('wrong_credentials', 'The password is empty')
      return withLdapErrors(async () => {
        try {
          socket.password = password
          await client.bind(dn, password)
        } finally {
          socket.password = undefined
        }
      })
    },
    async *pages(search) {
      const { page, size } = await firstPage(search)
      let cookie = Buffer.from(socket.cookie ?? [])
      yield page
      while (cookie.length > 0) {
        const next = await withLdapErrors(() => searchOnce(search, size, cookie))
        cookie = Buffer.from(socket.cookie ?? [])
        yield next
      }
    },
    read: (dn, attributes, binary) =>
      withLdapErrors(async () => {
        const search = { base: dn, scope: 'base', filter: '(objectClass=*)', pageSize: 0, attributes } as const
        const { entries } = await searchOnce({ ...search, ...(binary && { binary }) }, 0)
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

/** Converts an entry of the library. The keys of the map are attribute names in lower case, with options. */
function ldapEntry({ dn, ...attributes }: Entry): LdapEntry {
  const all = new Map<string, (string | Buffer)[]>()
  for (const [name, value] of Object.entries(attributes))
    all.set(name.toLowerCase(), Array.isArray(value) ? value : [value])
  const values = (attribute: string) => all.get(attribute.toLowerCase()) ?? []
  return {
    dn,
    values,
    strings: (attribute) =>
      values(attribute)
        .filter((value): value is string => typeof value === 'string')
        .map((value) => value.trim())
        .filter(Boolean),
    attributes: () => [...all.keys()],
  }
}

const NO_COOKIE = Buffer.alloc(0)

/**
 * The result codes of servers that reject a page size: sizeLimitExceeded, adminLimitExceeded (OpenLDAP with `size.pr`) and
 * unwillingToPerform.
 */
const LIMIT_CODES = [4, 11, 53]

/**
 * Requests a paged search (RFC 2696), with criticality false: a server without support returns everything at once. The library's own paging stops
 * at an empty page, which a server may send before the last one.
 */
class PageControl extends Control {
  constructor(
    private readonly size: number,
    private readonly cookie: Buffer,
  ) {
    super('1.2.840.113556.1.4.319')
  }

  override writeControl(writer: BerWriter): void {
    const value = new BerWriter()
    value.startSequence()
    value.writeInt(this.size)
    value.writeBuffer(this.cookie, 0x04)
    value.endSequence()
    writer.writeBuffer(value.buffer, 0x04)
  }
}

/** RFC 4511 appendix A. */
const CODES: Record<number, [kind: LdapFailure['kind'], message: string]> = {
  3: ['timeout', 'The server aborted the search because it took too long'],
  4: ['size_limit', 'The result exceeds the size limit of the server'],
  8: ['refused', 'The server rejects passwords without TLS'],
  10: ['refused', 'The server refers to another server (referral), which is not followed'],
  11: ['size_limit', 'The search exceeds an administrative limit of the server'],
  13: ['refused', 'The server rejects passwords without TLS'],
  32: ['base_not_found', 'The entry does not exist'],
  34: ['base_not_found', 'The server rejects the DN as invalid'],
  48: ['wrong_credentials', 'The server does not allow password authentication'],
  49: ['wrong_credentials', 'The server rejects this DN or password'],
  50: ['refused', 'The account has insufficient access rights'],
  53: ['refused', 'The server is unwilling to perform the request'],
}

/**
 * Converts an error to `LdapFailure`. The recorded failure of the socket takes precedence over the error of the library, which is only its
 * consequence. Then come a result code, a timeout, and a lost connection.
 */
function toFailure(error: unknown, socket: MessageSocket, { operationMs }: LdapLimits): LdapFailure {
  if (error instanceof LdapFailure) return error
  if (socket.failure) return socket.failure
  if (error instanceof ResultCodeError) {
    const [kind, message] = CODES[error.code] ?? [
      'refused',
      `The server rejected the request (result code ${error.code})`,
    ]
    return new LdapFailure(kind, message, { code: error.code, diagnostic: socket.diagnostic })
  }
  if (error instanceof Error && /timed out/.test(error.message))
    return new LdapFailure('timeout', `No response within ${operationMs / 1_000} seconds`)
  return new LdapFailure('cut', 'The connection was closed unexpectedly')
}
