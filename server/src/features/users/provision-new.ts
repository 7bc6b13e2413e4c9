import type { Transaction } from '../../platform/db/database.js'
import type { MembershipId, UserId } from '../../platform/ids.js'
import { requireRoleWithin } from '../access/index.js'
import { createUsers } from '../identities/index.js'
import { addMembers, closeInvitations, type DirectoryProfile } from '../members/index.js'
import type { ProvisioningDeps } from './change-provisioned.js'
import { type DirectoryActor, sourceOf } from './directory-actor.js'

/** Somebody whom a directory adds, and in which of its requests. */
export interface NewPerson {
  directory: DirectoryActor
  /** Normalized. */
  email: string
  profile: DirectoryProfile
  active: boolean
}

export interface AddedPerson {
  userId: UserId
  membershipId: MembershipId
  createdAt: Date
}

const PROVISIONED_ROLE = 'MEMBER'

/**
 * A step: those of many whom nobody knows become members of the directory's team, each as `provisionMember` would make them, with the
 * same entries in the audit log, in as many statements however many they are. Who has an account already is left out.
 * @param people of one team
 * @throws role_protected
 * @returns for each who was added, else undefined; undefined for all of them when anything stands against any: then nothing may be kept
 */
export async function provisionNew(
  tx: Transaction,
  deps: ProvisioningDeps,
  teamId: DirectoryActor['teamId'],
  people: NewPerson[],
): Promise<(AddedPerson | undefined)[] | undefined> {
  const { clock, audit } = deps
  for (const { directory } of people) requireRoleWithin(directory, PROVISIONED_ROLE)
  const wanted = people.map(({ email, active, profile: { externalId: _, ...own } }) => ({
    ...own,
    email,
    status: statusOf(active),
  }))
  const made = await createUsers(tx, clock, teamId, wanted)
  const added = new Map<NewPerson, UserId>()
  for (const person of people) {
    const userId = made.get(person.email)
    if (userId) added.set(person, userId)
    // Of two who have one address the second is known.
    made.delete(person.email)
  }
  if (added.size === 0) return people.map(() => undefined)
  const members = [...added].map(([{ email, active, profile }, userId]) => ({
    userId,
    email,
    status: statusOf(active),
    profile,
  }))
  const memberships = await addMembers(tx, clock, { teamId, role: PROVISIONED_ROLE }, members)
  if (!memberships) return undefined
  const invited = new Set(memberships.invited)
  for (const { directory, email } of added.keys())
    if (invited.has(email)) await closeInvitations(tx, deps, directory, email)
  const entries = [...added].flatMap(([{ directory, email, active }, userId]) => {
    const resource = `user:${userId}`
    const source = sourceOf(directory)
    return [
      audit.entry(directory, 'user.created', { resource, metadata: { email, ...source } }),
      audit.entry(directory, 'member.added', {
        resource,
        metadata: { role: PROVISIONED_ROLE, status: statusOf(active), ...source },
      }),
    ]
  })
  await audit.recordAll(tx, entries)
  const idOf = new Map([...added.keys()].map((person, index) => [person, memberships.ids[index]]))
  return people.map((person) => {
    const [userId, membershipId] = [added.get(person), idOf.get(person)]
    return userId && membershipId && { userId, membershipId, createdAt: memberships.addedAt }
  })
}

const statusOf = (active: boolean): 'active' | 'suspended' => (active ? 'active' : 'suspended')
