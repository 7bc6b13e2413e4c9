import type { Clock } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Runner, Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { DirectoryId, OriginId, SsoProviderId, TeamId, UserId } from '../../../platform/ids.js'
import { permissionError } from '../../permissions/index.js'
import { findMember } from '../find-member.js'
import { readOrigin, writeOrigin } from './joint-setters.js'
import type { SavedSetting } from './saved-permissions.js'
import { isCovered } from './setter-authority.js'
import { atEndWithSetters } from './setter-lock.js'
import { recordTemporarySetters } from './temporary-setters.js'

/**
 * A provider or directory signs members in with the permissions of its last editor. Its sessions, and everything created in them, store
 * this editor in `temporary_set_by`, as the ID of a row of `sign_in_editors` (see `OriginId`).
 */
type SignInEditor = SavedSetting & { savedBy: UserId }

/** A provider or directory. */
type Source = SavedSetting & { id: SsoProviderId | DirectoryId; temporarySetBy: OriginId | null }

const find = namedQuery<{ id: OriginId }, [string, UserId, number, string[]]>(
  'members.find_sign_in_editor',
  `SELECT id FROM sign_in_editors WHERE source_id = $1 AND saved_by = $2 AND saved_epoch = $3 AND saved_permissions = $4`,
)
const insert = namedQuery<
  { id: OriginId },
  {
    sourceId: string
    savedBy: UserId
    savedEpoch: number
    permissions: string[]
    id: OriginId
    organizationId: TeamId
    now: Date
  }
>(
  'members.insert_sign_in_editor',
  `INSERT INTO sign_in_editors (id, organization_id, source_id, saved_by, saved_epoch, saved_permissions, created_at)
   VALUES (:id, :organizationId, :sourceId, :savedBy, :savedEpoch, :permissions, :now)
   ON CONFLICT (source_id, saved_by, saved_epoch, saved_permissions) DO UPDATE SET source_id = excluded.source_id RETURNING id`,
)

/**
 * Returns the origin of a session that a provider or directory starts for the user. If it was saved in a session with a temporary password,
 * the session ends with the permissions of the setters, too: they are recorded, and losses of permissions are ordered with this sign-in.
 * Runs in the caller's transaction.
 * @param source in its current state; it must have an editor
 * @throws role_protected at the end of the transaction, if a setter has lost permissions since the sign-in began
 */
export async function originOfSignIn(tx: Transaction, clock: Clock, source: Source, userId: UserId): Promise<OriginId> {
  const { organizationId, temporarySetBy } = source
  const editorId = await editorIdOf(tx, clock, source)
  const { setters } = await readOrigin(tx, temporarySetBy)
  if (setters.length === 0) return editorId
  const origin = await writeOrigin(tx, clock, organizationId, { setters, editorId })
  await recordTemporarySetters(tx, userId, organizationId, origin)
  const covers = async () => {
    const member = await findMember(tx, organizationId, userId)
    return member !== undefined && isCovered(tx, origin, member.role, organizationId)
  }
  // Otherwise the sign-in is rejected anyway.
  if (await covers())
    atEndWithSetters(tx, setters, false, async () => {
      if (!(await covers())) throw permissionError('role_protected')
    })
  return origin
}

async function editorIdOf(
  tx: Transaction,
  clock: Clock,
  { id, organizationId, savedBy, savedEpoch, savedPermissions }: Source,
): Promise<OriginId> {
  if (!savedBy) throw new Error('The provider or directory has no editor')
  const permissions = [...savedPermissions].sort()
  const [found] = await tx.run(find, [id, savedBy, savedEpoch, permissions])
  if (found) return found.id
  const row = uuidv7<OriginId>(clock)
  const [created] = await tx.run(insert, {
    sourceId: id,
    savedBy,
    savedEpoch,
    permissions,
    id: row,
    organizationId,
    now: clock.now(),
  })
  if (!created) throw new Error('The editor was not written')
  return created.id
}

// The row's own ID belongs to no user and is unique, as the index requires.
const end = namedQuery<never, [UserId, TeamId]>(
  'members.end_sign_in_editor',
  'UPDATE sign_in_editors SET saved_by = id WHERE organization_id = $2 AND saved_by = $1',
)

/**
 * Revokes the user's authority over sign-ins by providers and directories of the team: sessions that these started then cover a plain
 * member only, even when the user returns to the team. Runs in the caller's transaction.
 */
export const revokeSignInEditor = async (tx: Transaction, userId: UserId, teamId: TeamId): Promise<void> =>
  void (await tx.run(end, [userId, teamId]))

const endOf = namedQuery<never, [UserId, string[]]>(
  'members.end_sign_in_editors',
  'UPDATE sign_in_editors SET saved_by = id WHERE saved_by = $1 AND source_id = ANY($2)',
)

/**
 * Revokes the user's authority over sign-ins by these providers and directories, which were saved in sessions that others controlled: what
 * they started then covers a plain member only. Runs in the caller's transaction.
 */
export const endSignInEditors = async (
  tx: Transaction,
  userId: UserId,
  sources: (SsoProviderId | DirectoryId)[],
): Promise<void> => {
  if (sources.length > 0) await tx.run(endOf, [userId, sources])
}

const read = namedQuery<SignInEditor, [OriginId]>(
  'members.read_sign_in_editor',
  `SELECT organization_id AS "organizationId", saved_by AS "savedBy", saved_epoch AS "savedEpoch", saved_permissions AS "savedPermissions"
   FROM sign_in_editors WHERE id = $1`,
)

/** Returns the editor with this ID. */
export const findSignInEditor = async (runner: Runner, id: OriginId): Promise<SignInEditor | undefined> =>
  (await runner.run(read, [id]))[0]
