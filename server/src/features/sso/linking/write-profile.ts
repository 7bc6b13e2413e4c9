import { and, eq, ne } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { GroupId } from '../../../platform/ids.js'
import { groupsNamed, groupsOfUser, replaceGroupsOfUser } from '../../groups/index.js'
import { type Membership, memberships, updateMembership } from '../../members/index.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import type { Statement } from '../model/statement.js'
import { findIdentity, noteIdentity } from './identity-repository.js'
import type { StatedProfile } from './map-attributes.js'
import type { ResolvedUser } from './resolve-user.js'

interface Writing {
  provider: Provider
  permissions: ReadonlySet<string>
  statement: Statement
  origin: RequestOrigin
}

/**
 * Writes the profile of the statement to the membership; the account's own profile is unchanged. Fields that the provider does not send
 * are kept. Runs in the caller's transaction.
 */
export async function writeProfile(
  tx: Transaction,
  { clock, audit }: Pick<SsoDeps, 'clock' | 'audit'>,
  { provider, statement, origin }: Writing,
  { user, membership }: ResolvedUser,
): Promise<Membership> {
  const wanted = await withoutTakenExternalId(tx, membership, statement.profile)
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

/** Drops an external ID that another member of the team has already. */
async function withoutTakenExternalId(
  tx: Transaction,
  membership: Membership,
  profile: StatedProfile,
): Promise<StatedProfile> {
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
 * Records the use of the identity, and adds the user to the groups of the team that the provider names. Removes the user only from groups
 * to which the provider itself has added them, not from manually assigned ones. Runs in the caller's transaction.
 */
export async function recordIdentityUse(
  tx: Transaction,
  deps: Pick<SsoDeps, 'clock' | 'audit'>,
  { provider, permissions, statement, origin }: Writing,
  { user }: ResolvedUser,
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
  // A group that was assigned manually does not become the provider's.
  const ours = named.filter((id) => managed.includes(id) || !current.includes(id))
  await noteIdentity(tx, deps.clock, identity, ours)
}

const sameSet = (a: GroupId[], b: GroupId[]): boolean => a.length === b.length && a.every((id) => b.includes(id))
