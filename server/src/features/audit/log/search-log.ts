import { isIP } from 'node:net'
import type { Clock } from '../../../platform/clock.js'
import type { Envelope } from '../../../platform/crypto/envelope.js'
import type { KeyRing } from '../../../platform/crypto/key-ring.js'
import type { Database, Transaction } from '../../../platform/db/database.js'
import { isOutOfTime } from '../../../platform/db/database-errors.js'
import { readSnapshot } from '../../../platform/db/read-one-state.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import { parseTimestamp } from '../../../platform/timestamps.js'
import { AUDIT_ACTIONS } from '../actions.js'
import { INSTANCE_CHAIN } from '../chain/chain.js'
import { rejection } from '../errors.js'
import { ipHash } from '../personal-data/ip-hash.js'
import type { Audit } from '../record.js'
import { isFiltered, type LogQuery, type Scope } from '../schema.js'
import { type AddressFilter, EARLIEST, LATEST, type LogFilter, type Search } from './filter.js'
import type { AuditNames } from './labels.js'

export interface LogDeps {
  db: Database
  clock: Clock
  audit: Audit
  names: AuditNames
  keys: KeyRing
  envelope: Envelope
}

/**
 * Authorizes access to a log. Returns its team, or null for the log of the instance.
 * @throws forbidden for the log of the instance, if the caller does not administer the instance
 */
export function authorizeLog(actor: Actor, { scope }: Scope): TeamId | null {
  if (scope !== 'instance') return actor.teamId
  if (!actor.instanceAdmin)
    throw platformError('forbidden', { detail: "Only administrators of the instance can read the instance's log" })
  return null
}

/**
 * Searches a log in one snapshot.
 * @param search receives the parsed filter; undefined if nothing can match
 * @throws forbidden for the instance's log, invalid_request, search_too_wide
 */
export async function searchLog<T>(
  deps: LogDeps,
  actor: Actor,
  query: LogQuery & Scope,
  search: (tx: Transaction, filter: LogFilter | undefined) => Promise<T>,
): Promise<T> {
  const teamId = authorizeLog(actor, query)
  return limitSearch(query, () =>
    readSnapshot(deps.db, async (tx) => search(tx, await parseLogFilter(tx, deps, teamId, actor, query))),
  )
}

/**
 * Runs a search and converts its timeout to `search_too_wide` instead of 503. Without a filter there is no search: a timeout then means
 * that the database is overloaded, and stays a 503.
 * @throws search_too_wide
 */
export async function limitSearch<T>(query: LogQuery, search: () => Promise<T>): Promise<T> {
  try {
    return await search()
  } catch (error) {
    if (isFiltered(query) && isOutOfTime(error)) throw rejection('search_too_wide', { cause: error })
    throw error
  }
}

/**
 * Parses a query. Both dates are inclusive; a day without a time is the whole day in UTC. Runs in the caller's transaction.
 * @param teamId null for the log of the instance
 * @param actor who searches: a search string also matches the email addresses of the members of their team
 * @returns undefined if nothing can match: a malformed ID, or an end before the start
 * @throws invalid_request for an invalid date
 */
export async function parseLogFilter(
  tx: Transaction,
  deps: Pick<LogDeps, 'names' | 'keys'>,
  teamId: TeamId | null,
  actor: Actor,
  query: LogQuery,
): Promise<LogFilter | undefined> {
  const { userId, agentId, sessionId, q, minRisk, action, result, resource, ipAddress, requestId } = query
  const { from, to } = rangeOf(query)
  const user = userId === undefined ? undefined : parseId<UserId>(userId)
  const agent = agentId === undefined ? undefined : parseId<UserId>(agentId)
  const session = sessionId === undefined ? undefined : parseId(sessionId)
  const isUnknown = (given: string | undefined, id: string | undefined) => given !== undefined && !id
  if (isUnknown(userId, user) || isUnknown(agentId, agent) || isUnknown(sessionId, session)) return undefined
  if (from !== undefined && to !== undefined && from > to) return undefined
  return {
    teamId,
    userId: user,
    agentId: agent,
    action,
    result,
    resource,
    address: ipAddress === undefined ? undefined : addressFilter(deps, teamId, ipAddress),
    requestId,
    sessionId: session,
    search: q ? await parseSearch(tx, deps, teamId, actor, q) : undefined,
    // Entries without a risk score count as 0.
    minRisk: minRisk || undefined,
    from,
    to,
  }
}

const addressFilter = ({ keys }: Pick<LogDeps, 'keys'>, teamId: TeamId | null, text: string): AddressFilter => {
  const plain = text.toLowerCase()
  return { plain, hash: ipHash(keys, teamId ?? INSTANCE_CHAIN, plain) }
}

/** Returns what a search string matches. Each part has an index. */
async function parseSearch(
  tx: Transaction,
  deps: Pick<LogDeps, 'names' | 'keys'>,
  teamId: TeamId | null,
  actor: Actor,
  text: string,
): Promise<Search> {
  const { labellers, membersMatching } = deps.names
  const wanted = text.toLowerCase()
  const containing = (names: readonly string[]) => names.filter((name) => name.includes(wanted))
  const id = parseId(text)
  const kinds = [...Object.keys(labellers), 'route']
  return {
    actions: containing(Object.keys(AUDIT_ACTIONS)),
    kinds: containing(kinds),
    resources: [text, wanted, ...(id ? kinds.map((kind) => `${kind}:${id}`) : [])],
    users: [...(await membersMatching(tx, actor.teamId, text)), ...(id ? [id] : [])],
    address: isIP(text) ? addressFilter(deps, teamId, text) : undefined,
    requestId: text,
    id,
  }
}

/** Parses both dates of a query. @throws invalid_request for an invalid date */
export const rangeOf = ({ startDate, endDate }: LogQuery): Pick<LogFilter, 'from' | 'to'> => ({
  from: timestampOf('startDate', startDate, 'start'),
  to: timestampOf('endDate', endDate, 'end'),
})

function timestampOf(name: string, value: string | undefined, edge: 'start' | 'end'): number | undefined {
  if (value === undefined) return undefined
  // A plus sign in a query string often arrives as a space.
  const plain = value.replace(/ (\d\d:?\d\d)$/, '+$1')
  const isDay = plain.length === 10
  const timestamp = parseTimestamp(isDay && edge === 'end' ? `${plain}T23:59:59.999Z` : plain)
  if (timestamp === undefined)
    throw platformError('invalid_request', {
      detail: `${name} must be a date or time in ISO 8601`,
      errors: [{ path: `query/${name}`, message: 'must be ISO 8601' }],
    })
  return Math.min(Math.max(timestamp, edge === 'start' ? EARLIEST : EARLIEST - 1), LATEST)
}
