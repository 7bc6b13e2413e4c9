import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Runner, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { Countries } from '../../platform/geo/countries.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { AuditEntryId, AuditKeyId, SessionId, TeamId, UserId } from '../../platform/ids.js'
import type { Metrics } from '../../platform/metrics/metrics.js'
import type { AuditAction } from './actions.js'
import { ENTRY_FORMAT, INSTANCE_CHAIN } from './chain/chain.js'
import { eraseUser, eraseUserLater } from './personal-data/erase-user.js'
import { ipHash } from './personal-data/ip-hash.js'
import { createPersonKeys, type PersonKey, type PersonKeyDeps } from './personal-data/person-keys.js'
import { divideMetadata, type Person } from './personal-data/personal-members.js'
import { type SealedPart, sealValue, valueKey } from './personal-data/sealed-values.js'
import { signInOf } from './sign-in-metrics.js'

/** The actor of an entry and the origin of the request; an `Actor` qualifies. */
export interface AuditSubject {
  userId: UserId | null
  teamId: TeamId | null
  agentId?: string | null
  /** The session of the request; for a sign-in, the new one. */
  sessionId?: SessionId | undefined
  origin: RequestOrigin
}

/** The author of a change in a team: one of its users, or its directory without a user. */
export type TeamSubject = AuditSubject & { teamId: TeamId }

export interface AuditDetails {
  result?: 'SUCCESS' | 'FAILURE' | 'DENIED'
  /** The target, as `kind:id`. */
  resource?: string
  metadata?: Record<string, unknown>
  /** 0–100. */
  riskScore?: number
}

/** An entry to record. */
export interface NewEntry {
  by: AuditSubject
  action: AuditAction
  details?: AuditDetails
}

export interface Audit {
  /**
   * Records an entry, which exists if and only if the change does. Must not contain secrets. IP address and user agent of a user, and
   * personal metadata, are encrypted under the key of the person (`personal-data`). Runs in the caller's transaction.
   */
  record(tx: Transaction, by: AuditSubject, action: AuditAction, details?: AuditDetails): Promise<void>
  /** Records several entries in one statement. Runs in the caller's transaction. */
  recordAll(tx: Transaction, entries: NewEntry[]): Promise<void>
  /**
   * Returns the values of an entry as parameters of a statement with `recordingWith`, which changes and records at once. Only the hottest
   * paths use that to save the round trips of a transaction.
   */
  valuesOf(runner: Runner, entry: NewEntry): Promise<EntryValues>
  /**
   * Erases the personal data of a deleted user in all entries: destroys the keys of the user and of the address, and records
   * `user.personal_data_erased` in the log of the instance. Call it after the last entry about the user. Runs in the caller's transaction.
   * @param user with the address only if the user has proven it: an unverified one may belong to another person, in the logs of other teams too
   */
  eraseUser(tx: Transaction, user: { id: UserId; email?: string }): Promise<void>
  /**
   * Like `eraseUser`, after 90 days: for an account that the user did not delete, because others must not erase the traces of acts in the log of
   * a team that still needs them. Runs in the caller's transaction.
   */
  eraseUserLater(tx: Transaction, user: { id: UserId; email?: string }): Promise<void>
}

/** An entry as parameters of a query. */
export interface EntryValues {
  entryId: AuditEntryId
  entryTeamId: TeamId | null
  entryUserId: UserId | null
  entryAgentId: string | null
  entrySessionId: SessionId | null
  entryAction: AuditAction
  entryResource: string | null
  entryResult: string
  entryMetadata: Record<string, unknown>
  entryRiskScore: number | null
  entryCountry: string | null
  /** Plain only if the entry has no user. */
  entryIp: string | null
  entryUserAgent: string | null
  /** The key that encrypts `entryOrigin`: IP address and user agent of the user. */
  entryKeyId: AuditKeyId | null
  entryOrigin: Buffer | null
  /** Keyed hash of the IP address, by which the log is filtered. */
  entryIpHash: Buffer | null
  /** The key that encrypts `entryDetails`: personal metadata. */
  entrySubjectKeyId: AuditKeyId | null
  entryDetails: Buffer | null
  entryRequestId: string
  entryCreatedAt: Date
  entryChain: string
}

/** The columns of a new entry with their parameters and types. The format is that of `HASHED_MEMBERS`. */
const COLUMNS: [column: string, parameter: Exclude<keyof EntryValues, 'entryChain'>, type: string][] = [
  ['id', 'entryId', 'uuid'],
  ['team_id', 'entryTeamId', 'uuid'],
  ['user_id', 'entryUserId', 'uuid'],
  ['agent_id', 'entryAgentId', 'uuid'],
  ['session_id', 'entrySessionId', 'uuid'],
  ['action', 'entryAction', 'text'],
  ['resource', 'entryResource', 'text'],
  ['result', 'entryResult', 'text'],
  ['metadata', 'entryMetadata', 'jsonb'],
  ['risk_score', 'entryRiskScore', 'integer'],
  ['country', 'entryCountry', 'text'],
  ['ip_address', 'entryIp', 'text'],
  ['user_agent', 'entryUserAgent', 'text'],
  ['key_id', 'entryKeyId', 'uuid'],
  ['sealed_origin', 'entryOrigin', 'bytea'],
  ['ip_hash', 'entryIpHash', 'bytea'],
  ['subject_key_id', 'entrySubjectKeyId', 'uuid'],
  ['sealed_details', 'entryDetails', 'bytea'],
  ['request_id', 'entryRequestId', 'text'],
  ['created_at', 'entryCreatedAt', 'timestamptz'],
]
const INSERT = `INSERT INTO audit_entries (format, ${COLUMNS.map(([column]) => column).join(', ')})`
/** SQL: the values of a new entry. @param members expression for more metadata */
const parameters = (members = ''): string =>
  COLUMNS.map(([column, parameter, type]) => `:${parameter}::${type}${column === 'metadata' ? members : ''}`).join(', ')
const MEMBERS = COLUMNS.map(([, name, type]) => {
  if (type === 'jsonb') return `e -> '${name}'`
  return type === 'bytea' ? `decode(e ->> '${name}', 'hex')` : `(e ->> '${name}')::${type}`
}).join(', ')

/**
 * SQL: parts of a WITH clause that write an entry from the parameters `EntryValues`.
 * @param from the source, such as `FROM used`: the entry is written only if it has a row, that is if the change was made
 * @param members expression for more metadata (jsonb), which the source computes
 */
export const recordingWith = (from: string, members?: string): string => `audit_entry AS (
     ${INSERT} SELECT ${ENTRY_FORMAT}, ${parameters(members && ` || ${members}`)} ${from} RETURNING id),
   audit_waiting AS (INSERT INTO audit_pending (entry_id, chain) SELECT id, :entryChain::uuid FROM audit_entry)`

const insertEntry = namedQuery<never, EntryValues>('audit.insert', `WITH ${recordingWith('')} SELECT WHERE false`)

const insertEntries = namedQuery<never, [string]>(
  'audit.insert_all',
  `WITH entries AS (${INSERT} SELECT ${ENTRY_FORMAT}, ${MEMBERS} FROM jsonb_array_elements($1::jsonb) e RETURNING id, team_id)
   INSERT INTO audit_pending (entry_id, chain) SELECT id, coalesce(team_id, '${INSTANCE_CHAIN}') FROM entries`,
)

/** Returns the token of the request for the metadata of every entry. */
function tokenOf({ apiTokenId, scimTokenId }: RequestOrigin): Record<string, string> {
  if (scimTokenId) return { method: 'scim', token: scimTokenId }
  return apiTokenId ? { apiTokenId } : {}
}

const withoutBytes = (values: EntryValues) => ({
  ...values,
  entryOrigin: values.entryOrigin?.toString('hex'),
  entryIpHash: values.entryIpHash?.toString('hex'),
  entryDetails: values.entryDetails?.toString('hex'),
})

interface RecorderDeps extends PersonKeyDeps {
  countries: Pick<Countries, 'countryOf'>
  /** Counts the recorded sign-ins. */
  metrics: Pick<Metrics, 'observeSignIn'>
}

/** The values that a recorder adds to those of its caller. */
interface Found {
  actorKey?: PersonKey | undefined
  subjectKey?: PersonKey | undefined
  country?: string | undefined
  ipHash?: Buffer | undefined
}

/** Returns an entry with the data of each person apart. */
function divide({ by, action, details = {} }: NewEntry) {
  const { userId, origin } = by
  const { resource = null } = details
  const whole = { ...details.metadata, ...tokenOf(origin) }
  const { metadata, personal, isAttempt } = divideMetadata({ userId, action, resource, metadata: whole })
  const hasOrigin = origin.ip !== null || origin.userAgent !== null
  const user: Person | undefined = userId ? { userId } : undefined
  const actor = hasOrigin ? (isAttempt ? personal?.of : user) : undefined
  return { by, action, details: { ...details, resource, metadata }, actor, personal, isAttempt }
}

function seal(clock: Clock, divided: ReturnType<typeof divide>, found: Found): EntryValues {
  const { by, action, details, actor, personal } = divided
  const { userId, teamId, agentId = null, sessionId = null, origin } = by
  const { ip, userAgent } = origin
  const { actorKey, subjectKey } = found
  const entryId = uuidv7<AuditEntryId>(clock)
  const sealed = (key: PersonKey | undefined, part: SealedPart, value: unknown): Buffer | null =>
    key?.key ? sealValue(valueKey(key.key, part, entryId), value) : null
  return {
    entryId,
    entryTeamId: teamId,
    entryUserId: userId,
    entryAgentId: agentId,
    entrySessionId: sessionId,
    entryAction: action,
    entryResource: details.resource,
    entryResult: details.result ?? 'SUCCESS',
    entryMetadata: details.metadata,
    entryRiskScore: details.riskScore ?? null,
    entryCountry: found.country ?? null,
    entryIp: actor ? null : ip,
    entryUserAgent: actor ? null : userAgent,
    entryKeyId: actorKey?.id ?? null,
    entryOrigin: sealed(actorKey, 'origin', [ip, userAgent]),
    entryIpHash: (actorKey?.key && found.ipHash) ?? null,
    entrySubjectKeyId: subjectKey?.id ?? null,
    entryDetails: sealed(subjectKey, 'details', personal?.values),
    entryRequestId: origin.requestId,
    entryCreatedAt: clock.now(),
    entryChain: teamId ?? INSTANCE_CHAIN,
  }
}

async function insertAll(tx: Transaction, all: EntryValues[]): Promise<void> {
  if (all.length > 0) await tx.run(insertEntries, [JSON.stringify(all.map(withoutBytes))])
}

/**
 * Records several entries without personal data, for functions that have no recorder: their origin has neither an IP address nor a user
 * agent, and their metadata describes no person. Runs in the caller's transaction.
 */
export function recordImpersonal(tx: Transaction, clock: Clock, entries: NewEntry[]): Promise<void> {
  const all = entries.map((entry) => {
    const divided = divide(entry)
    if (divided.actor || divided.personal) throw new Error(`The entry ${entry.action} has personal data`)
    return seal(clock, divided, {})
  })
  return insertAll(tx, all)
}

export function createAuditRecorder(deps: RecorderDeps): Audit {
  const { clock, keys, countries, metrics } = deps
  const personKeys = createPersonKeys(deps)

  async function valuesOfAll(runner: Runner, entries: NewEntry[]): Promise<EntryValues[]> {
    const all = entries.map(divide)
    const persons = all.flatMap(({ actor, personal }) => [actor, personal?.of].filter((person) => person !== undefined))
    const isAttempt = all.some((divided) => divided.isAttempt)
    const found = persons.length > 0 ? await personKeys.forWriting(runner, persons, isAttempt) : []
    const byPerson = new Map(persons.map((person, index) => [person, found[index]]))
    return all.map((divided) => {
      const { by, actor, personal } = divided
      const { ip } = by.origin
      return seal(clock, divided, {
        actorKey: actor && byPerson.get(actor),
        subjectKey: personal && byPerson.get(personal.of),
        country: countries.countryOf(ip),
        ipHash: actor && ip !== null ? ipHash(keys, by.teamId ?? INSTANCE_CHAIN, ip) : undefined,
      })
    })
  }

  return {
    async record(tx, by, action, details) {
      const [values] = await valuesOfAll(tx, [{ by, action, ...(details && { details }) }])
      if (values) await tx.run(insertEntry, values)
      const signIn = signInOf(action, details)
      if (signIn) tx.afterCommit(() => metrics.observeSignIn(signIn.method, signIn.outcome))
    },
    recordAll: async (tx, entries) => insertAll(tx, await valuesOfAll(tx, entries)),
    async valuesOf(runner, entry) {
      const [values] = await valuesOfAll(runner, [entry])
      return values as EntryValues
    },
    eraseUser: (tx, user) => eraseUser(tx, deps, user),
    eraseUserLater: (tx, user) => eraseUserLater(tx, deps, user),
  }
}
