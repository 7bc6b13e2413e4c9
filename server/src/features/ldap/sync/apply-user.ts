import type { Transaction } from '../../../platform/db/database.js'
import { memberError, type Seats } from '../../members/index.js'
import {
  type DirectoryActor,
  lockUserOfTeam,
  mayRename,
  type ProvisioningDeps,
  provisionDirectoryUser,
  updateProvisionedUser,
} from '../../user-management/index.js'
import type { MappedUser } from '../model/map-entry.js'
import type { RunFailure } from '../tables.js'
import { entryRepository, type KnownEntry } from './entry-repository.js'
import { failureOf } from './run-batch.js'

/** The hash of no content. */
const NOTHING = Buffer.alloc(0)

/** Applies the directory's values to a user who was imported before. Runs in the caller's transaction. */
export async function changeKnown(
  tx: Transaction,
  deps: ProvisioningDeps,
  actor: DirectoryActor,
  user: MappedUser,
  entry: KnownEntry,
  fail: (failure: RunFailure) => void,
): Promise<'updated' | 'unchanged'> {
  const { directoryId, no, userId, fields, active, goneSince } = entry
  const entries = entryRepository(tx, directoryId)
  const locked = await lockUserOfTeam(tx, actor.teamId, userId ?? '')
  // If the team may not change the email address, that fails and all other changes are applied.
  const isRenameDenied =
    locked.account.email !== user.email && !(await mayRename(tx, actor.teamId, locked.account, user.email))
  const emptied = Object.fromEntries(
    fields.filter((field) => !Object.hasOwn(user.profile, field)).map((field) => [field, null]),
  )
  const { outcome } = await updateProvisionedUser(tx, deps, actor, locked, {
    ...(!isRenameDenied && { email: user.email }),
    profile: { ...user.profile, ...emptied },
    // A user whom an administrator suspended remains so until the status in the directory changes.
    ...((goneSince !== null || active !== user.active) && { active: user.active }),
  })
  const { key, dn, dnHash, uidHash, mark, contentHash } = user
  const change = { key, dn, dnHash, uidHash, fields: Object.keys(user.profile), active: user.active, goneSince: null }
  // The next sync must try and report the rejected change again, so the stored hash must not match.
  await entries.update(no, {
    ...change,
    ...(isRenameDenied ? { mark: null, contentHash: NOTHING } : { mark, contentHash }),
  })
  if (isRenameDenied) fail(failureOf(dn, user.email, memberError('user_not_managed')))
  return outcome === 'unchanged' ? 'unchanged' : 'updated'
}

/** Adds the user of a new entry as a member, or finds the existing member. Runs in the caller's transaction. */
export async function addNew(
  tx: Transaction,
  deps: ProvisioningDeps,
  actor: DirectoryActor,
  { email, profile, active, ...names }: MappedUser,
  seats: Seats | undefined,
  { directoryId, no }: Pick<KnownEntry, 'directoryId' | 'no'>,
): Promise<'created' | 'updated' | 'unchanged'> {
  const { account, outcome } = await provisionDirectoryUser(tx, deps, actor, { email, profile, active }, seats)
  const { key, dn, dnHash, uidHash, mark, contentHash } = names
  await entryRepository(tx, directoryId).insert({
    no,
    kind: 'user',
    key,
    dn,
    dnHash,
    uidHash,
    mark,
    contentHash,
    fields: Object.keys(profile),
    organizationId: actor.teamId,
    userId: account.id,
    groupId: null,
    active,
  })
  if (outcome === 'created' || outcome === 'joined') return 'created'
  return outcome
}
