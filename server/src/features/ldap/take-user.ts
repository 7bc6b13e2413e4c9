import type { Transaction } from '../../platform/db/database.js'
import { memberError, type Seats } from '../members/index.js'
import {
  changeProvisioned,
  type DirectoryActor,
  lockUserOfTeam,
  mayRename,
  type ProvisioningDeps,
  provisionDirectoryUser,
} from '../user-management/index.js'
import { entryRepository, type KnownEntry } from './entry-repository.js'
import type { MappedUser } from './map-entry.js'
import { failureOf } from './run-batch.js'
import type { RunFailure } from './tables.js'

/** The hash of no content. */
const NOTHING = Buffer.alloc(0)

/** A step: somebody whom the directory brought before is as it says now. */
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
  // An email address that the team may not change is a failure of the entry; everything else of it is applied.
  const isTheirs =
    locked.account.email !== user.email && !(await mayRename(tx, actor.teamId, locked.account, user.email))
  const emptied = Object.fromEntries(
    fields.filter((field) => !Object.hasOwn(user.texts, field)).map((field) => [field, null]),
  )
  const { outcome } = await changeProvisioned(tx, deps, actor, locked, {
    ...(!isTheirs && { email: user.email }),
    profile: { ...user.texts, ...emptied },
    // Whom an administrator has suspended stays so until the directory says something else than before.
    ...((goneSince !== null || active !== user.active) && { active: user.active }),
  })
  const { key, dn, dnHash, uidHash, mark, contentHash } = user
  const change = { key, dn, dnHash, uidHash, fields: Object.keys(user.texts), active: user.active, goneSince: null }
  // What was not taken over is tried anew, and told anew, by the next reading: it is like nothing that the entry may be then.
  await entries.update(no, { ...change, ...(isTheirs ? { mark: null, contentHash: NOTHING } : { mark, contentHash }) })
  if (isTheirs) fail(failureOf(dn, user.email, memberError('user_not_managed')))
  return outcome === 'unchanged' ? 'unchanged' : 'updated'
}

/** A step: a person who was not known becomes a member, or is found to be one. */
export async function addNew(
  tx: Transaction,
  deps: ProvisioningDeps,
  actor: DirectoryActor,
  { email, texts, active, ...names }: MappedUser,
  seats: Seats | undefined,
  { directoryId, no }: Pick<KnownEntry, 'directoryId' | 'no'>,
): Promise<'created' | 'updated' | 'unchanged'> {
  const { account, outcome } = await provisionDirectoryUser(tx, deps, actor, { email, profile: texts, active }, seats)
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
    fields: Object.keys(texts),
    organizationId: actor.teamId,
    userId: account.id,
    groupId: null,
    active,
  })
  if (outcome === 'created' || outcome === 'joined') return 'created'
  return outcome
}
