import { AppError } from '../../platform/app-error.js'
import { SECOND } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { DirectoryId, TeamId, UserId } from '../../platform/ids.js'
import { type LdapClient, LdapFailure, openLdap } from '../../protocols/ldap/index.js'
import type { ProveByDirectory } from '../authentication/index.js'
import { signInEditorOf } from '../members/index.js'
import { requireRoleWithin } from '../permissions/index.js'
import { isHomeTeam, turnsKey } from '../teams/index.js'
import { actingPermissions } from './acting-permissions.js'
import type { DirectoryDeps } from './deps.js'
import { type Directory, readerPassword, serverOf } from './directory.js'
import { rejection } from './errors.js'
import { BINARY, keyOf } from './map-entry.js'
import { KEY_ATTRIBUTES } from './presets.js'
import { directoryRepository } from './repository.js'

/** Somebody waits for it, and holds nothing meanwhile. */
const LIMITS = { connectMs: 2.5 * SECOND, operationMs: 2.5 * SECOND }
/** Of all that is asked for one proof: then they are answered, whatever is still under way. */
const LONGEST = 5 * SECOND
/**
 * Proofs under way on a node: of one directory, of all directories of the teams of one creator, and in total. Beyond it a directory counts as
 * unavailable at once: servers that do not answer keep no more sign-ins waiting.
 */
const MOST_AT_ONCE = { ofDirectory: 20, ofCreator: 40, ofAll: 500 }

interface Candidate {
  teamId: TeamId
  directoryId: DirectoryId
  version: number
  dn: string
  /** By what the entry was known when it was imported. */
  key: Buffer
  role: string
  /** Whose turns its proofs use (`turnsKey`). */
  turns: string
}

type ProofDeps = Pick<DirectoryDeps, 'db' | 'clock' | 'addressRules' | 'envelope'>

// A directory receives what is typed: only that of the team that the request names, of the home team, or, without a home team, of the
// only directory that lists an account without a password of its own or of another team. Several directories are not asked: each would
// receive the password of another. A temporary password of an unconfirmed team does not change that for a confirmed one.
const candidateOf = namedQuery<Candidate, [string, TeamId | null]>(
  'directory.candidate',
  `WITH listed AS (
     SELECT d.organization_id AS "teamId", d.id AS "directoryId", d.version, e.dn, e.key, m.role, u.id AS user_id, u.email, u.epoch, m.counts,
       ${turnsKey('o', 'd.saved_by')} AS turns
     FROM users u
     JOIN directory_entries e ON e.user_id = u.id AND e.kind = 'user' AND e.gone_since IS NULL AND e.active
     JOIN directories d ON d.id = e.directory_id AND d.enabled AND d.sign_in_enabled
     JOIN organizations o ON o.id = d.organization_id
     JOIN memberships m ON m.user_id = u.id AND m.organization_id = d.organization_id AND m.status = 'active'
     WHERE u.email = $1)
   SELECT l."teamId", l."directoryId", l.version, l.dn, l.key, l.role, l.turns FROM listed l
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
 * Whether the password is the one that an account has in the directory of a team: by a bind with its name, outside of any transaction, where
 * that name is still the same person's. What it proves, it proves to that team alone.
 */
export function createProveByDirectory(deps: ProofDeps): ProveByDirectory {
  const underWay = createPlaces()

  return async ({ email, password, teamId, mayAsk }) => {
    const [candidate] = await deps.db.run(candidateOf, [email, teamId])
    if (!candidate || !(await mayAsk(candidate.teamId))) return undefined
    const { directoryId } = candidate
    const place = underWay.take(candidate)
    if (!place) return { outcome: 'unavailable' }
    const proving = prove(deps, candidate, password).finally(() => place[Symbol.dispose]())
    const given = await inTime(proving)
    if (given !== 'right') return given && { outcome: given }
    return {
      outcome: 'right',
      teamId: candidate.teamId,
      directoryId,
      rejection: (tx) => rejectionOf(tx, candidate),
      editor: (tx) => editorOf(tx, deps, candidate),
    }
  }
}

/** Counts the proofs under way, which go on behind an answer that came too late. */
function createPlaces() {
  const counts = new Map<string, number>()
  return {
    /** @returns undefined where there is none left */
    take({ directoryId, turns }: Pick<Candidate, 'directoryId' | 'turns'>): Disposable | undefined {
      const limits = [
        [`directory ${directoryId}`, MOST_AT_ONCE.ofDirectory],
        [`creator ${turns}`, MOST_AT_ONCE.ofCreator],
        ['all', MOST_AT_ONCE.ofAll],
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

type Outcome = 'right' | 'wrong' | 'unavailable'

/** What it comes to; `unavailable` where that takes too long. */
async function inTime(proving: Promise<Outcome | undefined>): Promise<Outcome | undefined> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<'unavailable'>((resolve) => {
    timer = setTimeout(resolve, LONGEST, 'unavailable')
  })
  try {
    return await Promise.race([proving, tooLong])
  } finally {
    clearTimeout(timer)
  }
}

/** @returns undefined where the directory is not the one any more that knew the account */
async function prove(deps: ProofDeps, candidate: Candidate, password: string): Promise<Outcome | undefined> {
  const directory = await deps.db.transaction((tx) => directoryRepository(tx, candidate.teamId).find())
  if (!isSame(directory, candidate)) return undefined
  try {
    const { dn } = candidate
    // Who has this name now may be somebody else: what they prove, they prove for themselves.
    const isThem = (client: LdapClient) => isStillTheirs(client, candidate)
    if (await as(deps, directory, dn, password, isThem)) return 'right'
  } catch (error) {
    return outcomeOf(error)
  }
  try {
    // They may not read of themselves what the service may.
    const { bindDn } = directory
    const isThem = (client: LdapClient) => holdsKey(client, candidate)
    return (await as(deps, directory, bindDn, readerPassword(deps.envelope, directory), isThem)) ? 'right' : 'wrong'
  } catch (error) {
    if (!(error instanceof LdapFailure)) throw error
    return 'unavailable'
  }
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof LdapFailure)) throw error
  return error.kind === 'wrong_credentials' || error.kind === 'base_not_found' ? 'wrong' : 'unavailable'
}

const isSame = (directory: Directory | undefined, { directoryId, version }: Candidate): directory is Directory =>
  directory?.id === directoryId && directory.version === version

/** Asks the directory as somebody, on a connection of its own. @throws LdapFailure */
async function as<T>(
  { addressRules }: ProofDeps,
  directory: Directory,
  dn: string,
  password: string,
  ask: (client: LdapClient) => Promise<T>,
): Promise<T> {
  const client = await openLdap(serverOf(directory), addressRules.ofTeam(directory.organizationId), LIMITS)
  try {
    await client.bind(dn, password)
    return await ask(client)
  } finally {
    client.close()
  }
}

/** Whether the entry of this name is the one that was imported, by the identifier that the server never changes. */
async function holdsKey(client: LdapClient, { dn, key }: Candidate): Promise<boolean> {
  const entry = await client.read(dn, KEY_ATTRIBUTES, BINARY)
  return entry !== undefined && keyOf(entry).equals(key)
}

/** As `holdsKey`, by what people see of themselves; false where they may not read it. */
async function isStillTheirs(client: LdapClient, candidate: Candidate): Promise<boolean> {
  try {
    return await holdsKey(client, candidate)
  } catch (error) {
    if (error instanceof LdapFailure && error.kind === 'refused') return false
    throw error
  }
}

async function editorOf(tx: Transaction, { clock }: ProofDeps, { teamId }: Candidate): Promise<UserId> {
  const directory = await directoryRepository(tx, teamId).find()
  if (!directory) throw rejection('directory_orphaned')
  return signInEditorOf(tx, clock, directory)
}

/** A step: why the directory may not let in whom it let in; undefined where it is as it was, and may. */
async function rejectionOf(tx: Transaction, candidate: Candidate): Promise<AppError | undefined> {
  const directory = await directoryRepository(tx, candidate.teamId).find()
  if (!isSame(directory, candidate)) return rejection('directory_orphaned', { detail: 'It was changed at this moment' })
  try {
    requireRoleWithin({ permissions: await actingPermissions(tx, directory) }, candidate.role)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error
    throw error
  }
}
