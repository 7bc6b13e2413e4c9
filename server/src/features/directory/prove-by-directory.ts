import { AppError } from '../../platform/app-error.js'
import { SECOND } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { DirectoryId, TeamId } from '../../platform/ids.js'
import { LdapFailure, openLdap } from '../../protocols/ldap/index.js'
import { requireRoleWithin } from '../access/index.js'
import type { ProveByDirectory } from '../accounts/index.js'
import { actingPermissions } from './acting-permissions.js'
import type { DirectoryDeps } from './deps.js'
import { type Directory, serverOf } from './directory.js'
import { refusal } from './errors.js'
import { directoryRepository } from './repository.js'

/** Somebody waits for it, and holds nothing meanwhile. */
const LIMITS = { connectMs: 2.5 * SECOND, operationMs: 2.5 * SECOND }
/** Proofs of one directory under way on a node: one that hangs keeps no more of them waiting, and nobody else. */
const MOST_AT_ONCE = 20

interface Candidate {
  teamId: TeamId
  directoryId: DirectoryId
  version: number
  dn: string
  role: string
}

// A team that merely added somebody is not asked: it would learn what they type. Of several the one that they used last.
const candidateOf = namedQuery<Candidate, [string, TeamId | null]>(
  'directory.candidate',
  `SELECT d.organization_id AS "teamId", d.id AS "directoryId", d.version, e.dn, m.role FROM users u
   JOIN directory_entries e ON e.user_id = u.id AND e.kind = 'user' AND e.gone_since IS NULL AND e.active
   JOIN directories d ON d.id = e.directory_id AND d.enabled AND d.sign_in_enabled
   JOIN memberships m ON m.user_id = u.id AND m.organization_id = d.organization_id AND m.counts AND m.status = 'active'
   WHERE u.email = $1 AND ($2::uuid IS NULL OR d.organization_id = $2)
   ORDER BY m.last_used_at DESC NULLS LAST, m.created_at LIMIT 1`,
)

/**
 * Whether the password is the one that an account has in the directory of a team: by a bind with its name, outside of any transaction.
 * What it proves, it proves to that team alone.
 */
export function createProveByDirectory(deps: Pick<DirectoryDeps, 'db' | 'addressRule'>): ProveByDirectory {
  const underWay = new Map<DirectoryId, number>()

  return async ({ email, password, teamId, mayAsk }) => {
    const [candidate] = await deps.db.run(candidateOf, [email, teamId])
    if (!candidate || !(await mayAsk())) return undefined
    const { directoryId } = candidate
    const count = underWay.get(directoryId) ?? 0
    if (count >= MOST_AT_ONCE) return { outcome: 'unavailable' }
    underWay.set(directoryId, count + 1)
    try {
      const directory = await deps.db.transaction((tx) => directoryRepository(tx, candidate.teamId).find())
      if (!isSame(directory, candidate)) return undefined
      await bind(deps, directory, candidate.dn, password)
      const { teamId: provenTo } = candidate
      return { outcome: 'right', teamId: provenTo, directoryId, refusal: (tx) => refusalOf(tx, candidate) }
    } catch (error) {
      if (!(error instanceof LdapFailure)) throw error
      return {
        outcome: error.kind === 'wrong_credentials' || error.kind === 'base_not_found' ? 'wrong' : 'unavailable',
      }
    } finally {
      const left = (underWay.get(directoryId) ?? 1) - 1
      if (left > 0) underWay.set(directoryId, left)
      else underWay.delete(directoryId)
    }
  }
}

const isSame = (directory: Directory | undefined, { directoryId, version }: Candidate): directory is Directory =>
  directory?.id === directoryId && directory.version === version

async function bind(
  { addressRule }: Pick<DirectoryDeps, 'addressRule'>,
  directory: Directory,
  dn: string,
  password: string,
): Promise<void> {
  const client = await openLdap(serverOf(directory), addressRule, LIMITS)
  try {
    await client.bind(dn, password)
  } finally {
    client.close()
  }
}

/** A step: why the directory may not let in whom it let in; undefined where it is as it was, and may. */
async function refusalOf(tx: Transaction, candidate: Candidate): Promise<AppError | undefined> {
  const directory = await directoryRepository(tx, candidate.teamId).find()
  if (!isSame(directory, candidate)) return refusal('directory_orphaned', { detail: 'It was changed at this moment' })
  try {
    requireRoleWithin({ permissions: await actingPermissions(tx, directory) }, candidate.role)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error
    throw error
  }
}
