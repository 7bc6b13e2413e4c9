import type { Transaction } from '../../platform/db/database.js'
import { requireRoleWithin } from '../access/index.js'
import { normalizeEmail, writeStatus } from '../identities/index.js'
import {
  addMember,
  closeInvitations,
  type DirectoryProfile,
  findMember,
  memberRefusal,
  type Seats,
} from '../members/index.js'
import { accountFor } from './account-for.js'
import { changeProvisioned, type Provisioned, type ProvisioningDeps } from './change-provisioned.js'
import { type DirectoryActor, sourceOf } from './directory-actor.js'

export interface ProvisionedPerson {
  email: string
  profile: DirectoryProfile
  /** Default true: who was suspended comes back. */
  active?: boolean
  /** Whether a member who has another external id already is refused, instead of getting this one. */
  keepsExternalId?: boolean
}

const ROLE = 'MEMBER'

/**
 * A step: the person of this address is a member of the team as its directory says. An address that nobody has gets an account, which is
 * the team's to manage; of one that has, only what this team shows is written. No mail is sent, nobody gets another role.
 * @param seats counted in this transaction already, as `addMember` takes them
 * @throws role_protected, limit_reached, last_admin, external_id_taken: then nothing may be kept
 */
export async function provisionMember(
  tx: Transaction,
  deps: ProvisioningDeps,
  actor: DirectoryActor,
  { email, profile, active = true, keepsExternalId = false }: ProvisionedPerson,
  seats?: Seats,
): Promise<Provisioned> {
  const { clock, audit } = deps
  const { teamId } = actor
  const address = normalizeEmail(email)
  const { externalId: _, ...own } = profile
  const { account, isNew } = await accountFor(tx, deps, teamId, { email: address, profile: own })
  const membership = isNew ? undefined : await findMember(tx, teamId, account.id)
  const { externalId } = membership ?? {}
  if (keepsExternalId && externalId && profile.externalId && profile.externalId !== externalId)
    throw memberRefusal('external_id_taken', { detail: 'This user has another external id already' })
  if (membership) return changeProvisioned(tx, deps, actor, { account, membership }, { profile, active })

  requireRoleWithin(actor, ROLE)
  // Whom this team has made and removed before comes back as its own; to others it is a team that merely added them.
  const counts = account.madeByTeamId === teamId
  const status = active ? 'active' : 'suspended'
  const member = { userId: account.id, teamId, role: ROLE, counts, status, profile } as const
  const added = await addMember(tx, clock, member, seats)
  if (isNew && !active) await writeStatus(tx, clock, account.id, 'suspended')
  await closeInvitations(tx, deps, actor, address)
  const resource = `user:${account.id}`
  const source = sourceOf(actor)
  if (isNew) await audit.record(tx, actor, 'user.created', { resource, metadata: { email: address, ...source } })
  await audit.record(tx, actor, 'member.added', { resource, metadata: { role: ROLE, status, ...source } })
  return { account, membership: added, outcome: isNew ? 'created' : 'joined' }
}
