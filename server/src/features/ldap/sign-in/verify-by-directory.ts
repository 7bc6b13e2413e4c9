import { setTimeout } from 'node:timers/promises'
import { AppError } from '../../../platform/app-error.js'
import { SECOND } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { DirectoryId, OriginId, TeamId, UserId } from '../../../platform/ids.js'
import { type LdapClient, LdapFailure, openLdap } from '../../../protocols/ldap/index.js'
import type { VerifyByDirectory } from '../../authentication/index.js'
import { originOfSignIn } from '../../members/index.js'
import { requireRoleWithin } from '../../permissions/index.js'
import { isHomeTeam, queueKey } from '../../teams/index.js'
import type { DirectoryDeps } from '../model/deps.js'
import { actingPermissions, bindPasswordOf, type Directory, serverOf } from '../model/directory.js'
import { rejection } from '../model/errors.js'
import { KEY_ATTRIBUTES } from '../model/ldap-attributes.js'
import { BINARY, keyOf } from '../model/map-entry.js'
import { directoryRepository } from '../model/repository.js'

/** Limits of single operations in milliseconds: the user waits, and no transaction is open meanwhile. */
const LIMITS = { connectMs: 2.5 * SECOND, operationMs: 2.5 * SECOND }
/** The maximum duration of one verification. Then the user gets a response, even if operations are still in progress. */
const MAX_DURATION = 5 * SECOND
/**
 * Concurrent verifications of a node: per directory, per creator of teams, and in total. Above a limit the directory immediately counts
 * as unavailable, so that servers that do not respond do not block further sign-ins.
 */
const MAX_CONCURRENT = { ofDirectory: 20, ofCreator: 40, ofAll: 500 }

interface Candidate {
  teamId: TeamId
  directoryId: DirectoryId
  version: number
  dn: string
  /** The key of the imported entry. */
  key: Buffer
  role: string
  /** The key of the fair queue that its verifications use (`queueKey`). */
  fairQueue: string
}

type VerificationDeps = Pick<DirectoryDeps, 'db' | 'clock' | 'addressRules' | 'envelope'>

// A directory receives the password that the user typed. So only these are candidates: the directory of the team that the request names;
// that of the home team; or, without a home team, the only directory that lists an account which has neither a password of its own nor
// one of another team. Several directories are never tried, because each would receive the password of another. A temporary password of
// an unconfirmed team is ignored if the directory's team is confirmed.
const candidateOf = namedQuery<Candidate, [string, TeamId | null]>(
  'directory.candidate',
  `WITH listed AS (
     SELECT d.organization_id AS "teamId", d.id AS "directoryId", d.version, e.dn, e.key, m.role, u.id AS user_id, u.email, u.epoch, m.counts,
       ${queueKey('o', 'd.saved_by')} AS "fairQueue"
     FROM users u
     JOIN directory_entries e ON e.user_id = u.id AND e.kind = 'user' AND e.gone_since IS NULL AND e.active
     JOIN directories d ON d.id = e.directory_id AND d.enabled AND d.sign_in_enabled
     JOIN organizations o ON o.id = d.organization_id
     JOIN memberships m ON m.user_id = u.id AND m.organization_id = d.organization_id AND m.status = 'active'
     WHERE u.email = $1)
   SELECT l."teamId", l."directoryId", l.version, l.dn, l.key, l.role, l."fairQueue" FROM listed l
   WHERE l."teamId" = $2 OR ($2::uuid IS NULL AND (${isHomeTeam('l."teamId"', 'l.email')} OR (
     (SELECT count(*) FROM listed) = 1
     AND NOT EXISTS (SELECT 1 FROM passwords p WHERE p.user_id = l.user_id AND p.epoch = l.epoch)
     AND NOT EXISTS (SELECT 1 FROM team_passwords t JOIN memberships tm ON tm.user_id = t.user_id AND tm.organization_id = t.organization_id
       WHERE t.user_id = l.user_id AND t.epoch = l.epoch AND t.organization_id <> l."teamId" AND (tm.counts OR NOT l.counts))
     AND NOT EXISTS (SELECT 1 FROM memberships o WHERE o.user_id = l.user_id AND o.organization_id <> l."teamId"
       AND ((o.counts AND NOT l.counts) OR (o.status = 'active' AND ${isHomeTeam('o.organization_id', 'l.email')}))))))
   LIMIT 1`,
)

/**
 * Verifies a password by binding to the team's directory with the user's DN, outside of any transaction. The entry must still be the
 * imported one. The result is valid for that team only.
 */
export function createVerifyByDirectory(deps: VerificationDeps): VerifyByDirectory {
  const concurrency = createConcurrencyLimit()

  return async ({ email, password, teamId, mayQuery }) => {
    const [candidate] = await deps.db.run(candidateOf, [email, teamId])
    if (!candidate || !(await mayQuery(candidate.teamId))) return undefined
    const slot = concurrency.take(candidate)
    if (!slot) return 'unavailable'
    const verification = verifyPassword(deps, candidate, password).finally(() => slot[Symbol.dispose]())
    const outcome = await Promise.race([verification, setTimeout(MAX_DURATION, 'unavailable' as const, { ref: false })])
    if (outcome === 'unavailable') return outcome
    if (outcome === 'password_expired') return { expiredIn: candidate.teamId }
    if (outcome !== 'right') return undefined
    return {
      teamId: candidate.teamId,
      rejection: (tx) => rejectionOf(tx, candidate),
      origin: (tx, userId) => originOf(tx, deps, candidate, userId),
    }
  }
}

/** Counts verifications in progress, including those that continue after the response. */
function createConcurrencyLimit() {
  const counts = new Map<string, number>()
  return {
    /** Returns undefined if a limit is reached. */
    take({ directoryId, fairQueue }: Pick<Candidate, 'directoryId' | 'fairQueue'>): Disposable | undefined {
      const limits = [
        [`directory ${directoryId}`, MAX_CONCURRENT.ofDirectory],
        [`creator ${fairQueue}`, MAX_CONCURRENT.ofCreator],
        ['all', MAX_CONCURRENT.ofAll],
      ] as const
      if (limits.some(([key, most]) => (counts.get(key) ?? 0) >= most)) return undefined
      const change = (by: 1 | -1) => {
        for (const [key] of limits) {
          const left = (counts.get(key) ?? 0) + by
          if (left > 0) counts.set(key, left)
          else counts.delete(key)
        }
      }
      change(1)
      return { [Symbol.dispose]: () => change(-1) }
    },
  }
}

/** `password_expired`: the password is right, but the directory accepts it only after a change. */
type Outcome = 'right' | 'wrong' | 'password_expired' | 'unavailable'

/** Returns undefined if the directory was changed or deleted since. */
async function verifyPassword(
  deps: VerificationDeps,
  candidate: Candidate,
  password: string,
): Promise<Outcome | undefined> {
  const directory = await deps.db.transaction((tx) => directoryRepository(tx, candidate.teamId).find())
  if (!isSame(directory, candidate)) return undefined
  let bound: Outcome = 'right'
  try {
    const { dn } = candidate
    // The DN may belong to another entry by now, so the key must match.
    const isSameEntry = (client: LdapClient) => matchesKeyAsUser(client, candidate)
    if (await asBoundUser(deps, directory, dn, password, isSameEntry)) return 'right'
  } catch (error) {
    bound = outcomeOf(error)
    if (bound !== 'password_expired') return bound
  }
  try {
    // Users may not have access to the key of their own entry, and none with an expired password, so read it with the service account.
    const { bindDn } = directory
    const isSameEntry = (client: LdapClient) => matchesKey(client, candidate)
    return (await asBoundUser(deps, directory, bindDn, bindPasswordOf(deps.envelope, directory), isSameEntry))
      ? bound
      : 'wrong'
  } catch (error) {
    if (!(error instanceof LdapFailure)) throw error
    return 'unavailable'
  }
}

/**
 * The error codes of Active Directory for an expired password (532) and one that must be changed (773), in the diagnostic message.
 * Active Directory verifies the password first, so these codes reveal nothing without the password. All other codes count as a wrong
 * password: that of a locked account (775) is also sent for a wrong password, and those of disabled and expired accounts (533, 701) do not
 * depend on the password.
 */
const PASSWORD_EXPIRED = /\bAcceptSecurityContext error, data (?:532|773),/

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof LdapFailure)) throw error
  if (error.kind === 'wrong_credentials' && PASSWORD_EXPIRED.test(error.details.diagnostic ?? ''))
    return 'password_expired'
  return error.kind === 'wrong_credentials' || error.kind === 'base_not_found' ? 'wrong' : 'unavailable'
}

const isSame = (directory: Directory | undefined, { directoryId, version }: Candidate): directory is Directory =>
  directory?.id === directoryId && directory.version === version

/** Runs `read` on a new connection that is bound as `dn`. @throws LdapFailure */
async function asBoundUser<T>(
  { addressRules }: VerificationDeps,
  directory: Directory,
  dn: string,
  password: string,
  read: (client: LdapClient) => Promise<T>,
): Promise<T> {
  const client = await openLdap(serverOf(directory), addressRules.ofTeam(directory.organizationId), LIMITS)
  try {
    await client.bind(dn, password)
    return await read(client)
  } finally {
    client.close()
  }
}

/** Returns whether the entry with this DN is the imported one, by its immutable identifier. */
async function matchesKey(client: LdapClient, { dn, key }: Candidate): Promise<boolean> {
  const entry = await client.read(dn, KEY_ATTRIBUTES, BINARY)
  return entry !== undefined && keyOf(entry).equals(key)
}

/** Like `matchesKey`, but with the user's own access; false without access. */
async function matchesKeyAsUser(client: LdapClient, candidate: Candidate): Promise<boolean> {
  try {
    return await matchesKey(client, candidate)
  } catch (error) {
    if (error instanceof LdapFailure && error.kind === 'refused') return false
    throw error
  }
}

async function originOf(
  tx: Transaction,
  { clock }: VerificationDeps,
  { teamId }: Candidate,
  userId: UserId,
): Promise<OriginId> {
  const directory = await directoryRepository(tx, teamId).find()
  if (!directory?.savedBy) throw rejection('directory_orphaned')
  return originOfSignIn(tx, clock, directory, userId)
}

/** Returns why the directory may not sign in the user; undefined if it may and is unchanged. Runs in the caller's transaction. */
async function rejectionOf(tx: Transaction, candidate: Candidate): Promise<AppError | undefined> {
  const directory = await directoryRepository(tx, candidate.teamId).find()
  if (!isSame(directory, candidate))
    return rejection('directory_orphaned', { detail: 'The directory was changed during the sign-in' })
  try {
    requireRoleWithin({ permissions: await actingPermissions(tx, directory) }, candidate.role)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error
    throw error
  }
}
