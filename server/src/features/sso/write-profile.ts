import { and, eq, ne } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { GroupId } from '../../platform/ids.js'
import { groupsNamed, groupsOfUser, replaceGroupsOfUser } from '../groups/index.js'
import { type Membership, memberships, updateMembership } from '../members/index.js'
import type { SsoDeps } from './deps.js'
import { findIdentity, noteIdentity } from './identity-repository.js'
import type { StatedProfile } from './map-attributes.js'
import type { Provider } from './provider.js'
import type { Resolved } from './resolve-user.js'
import type { Statement } from './statement.js'

interface Writing {
  provider: Provider
  permissions: ReadonlySet<string>
  statement: Statement
  origin: RequestOrigin
}

/**
 * A step: what the provider says of a member becomes what the team shows of them; the member's own profile stays theirs. What it does
 * not say stays as it is.
 */
export async function writeProfile(
  tx: Transaction,
  { clock, audit }: Pick<SsoDeps, 'clock' | 'audit'>,
  { provider, statement, origin }: Writing,
  { user, membership }: Resolved,
): Promise<Membership> {
  const wanted = await withoutTaken(tx, membership, statement.profile)
  const changed = Object.entries(wanted).filter(([field, value]) => membership[field as keyof Membership] !== value)
  if (changed.length === 0) return membership
  const change = Object.fromEntries(changed)
  await updateMembership(tx, membership, { ...change, updatedAt: clock.now() })
  await audit.record(tx, { userId: user.id, teamId: provider.organizationId, origin }, 'user.updated', {
    resource: `user:${user.id}`,
    metadata: { changed: Object.keys(change).sort(), method: 'sso', provider: provider.id },
  })
  return { ...membership, ...change }
}

/** An external id names one member of a team: one that another has is not taken from them. */
async function withoutTaken(tx: Transaction, membership: Membership, profile: StatedProfile): Promise<StatedProfile> {
  const { externalId, ...rest } = profile
  if (externalId === undefined || externalId === membership.externalId) return rest
  const [taken] = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, membership.organizationId),
        eq(memberships.externalId, externalId),
        ne(memberships.id, membership.id),
      ),
    )
  return taken ? rest : profile
}

/**
 * A step: notes that the identity was used, and puts its user into those groups of the team that the provider names. It takes them out
 * only of groups into which it has put them itself: what people have done by hand stays.
 */
export async function useIdentity(
  tx: Transaction,
  deps: Pick<SsoDeps, 'clock' | 'audit'>,
  { provider, permissions, statement, origin }: Writing,
  { user }: Resolved,
): Promise<void> {
  const identity = { providerId: provider.id, subject: statement.subject }
  if (!statement.groups || !permissions.has('groups:members')) return noteIdentity(tx, deps.clock, identity)
  const teamId = provider.organizationId
  const named = [...(await groupsNamed(tx, teamId, statement.groups)).values()]
  const current = (await groupsOfUser(tx, teamId, user.id)).map(({ id }) => id)
  const managed = (await findIdentity(tx, provider.id, statement.subject))?.groupIds ?? []
  const stored = current.filter((id) => !managed.includes(id) || named.includes(id))
  const wanted = [...new Set([...stored, ...named])]
  if (!sameSet(wanted, current))
    await replaceGroupsOfUser(tx, deps, { userId: user.id, teamId, origin }, user.id, wanted)
  // What was there by hand before does not become the provider's.
  const ours = named.filter((id) => managed.includes(id) || !current.includes(id))
  await noteIdentity(tx, deps.clock, identity, ours)
}

const sameSet = (a: GroupId[], b: GroupId[]): boolean => a.length === b.length && a.every((id) => b.includes(id))
