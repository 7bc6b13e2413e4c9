import type { Clock } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Runner, Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { DirectoryId, SsoProviderId, TeamId, UserId } from '../../../platform/ids.js'
import { permissionsOf, ROLES } from '../../permissions/index.js'
import type { SavedSetting } from './saved-permissions.js'

/**
 * A provider or directory signs members in with the permissions of its last editor. Its sessions, and everything created in them, store
 * this editor in `temporary_set_by`, as the ID of a row of `sign_in_editors`. Sessions of a temporary password store there the member who
 * set the password.
 */
type SignInEditor = SavedSetting & { savedBy: UserId }

const find = namedQuery<{ id: UserId }, [string, UserId, number, string[]]>(
  'members.find_sign_in_editor',
  `SELECT id FROM sign_in_editors WHERE source_id = $1 AND saved_by = $2 AND saved_epoch = $3 AND saved_permissions = $4`,
)
const insert = namedQuery<
  { id: UserId },
  {
    sourceId: string
    savedBy: UserId
    savedEpoch: number
    permissions: string[]
    id: UserId
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
 * Returns the value of `temporary_set_by` for a session that a provider or directory starts. Runs in the caller's transaction.
 * @param source in its current state; it must have an editor
 */
export async function signInEditorOf(
  tx: Transaction,
  clock: Clock,
  source: SavedSetting & { id: SsoProviderId | DirectoryId },
): Promise<UserId> {
  const { id, organizationId, savedBy, savedEpoch, savedPermissions } = source
  if (!savedBy) throw new Error('The provider or directory has no editor')
  const permissions = [...savedPermissions].sort()
  const [found] = await tx.run(find, [id, savedBy, savedEpoch, permissions])
  if (found) return found.id
  const row = uuidv7<UserId>(clock)
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

const read = namedQuery<SignInEditor, [UserId]>(
  'members.read_sign_in_editor',
  `SELECT organization_id AS "organizationId", saved_by AS "savedBy", saved_epoch AS "savedEpoch", saved_permissions AS "savedPermissions"
   FROM sign_in_editors WHERE id = $1`,
)

/** Returns the editor that a `temporary_set_by` refers to; undefined if it is a member who set a temporary password. */
export const findSignInEditor = async (runner: Runner, setBy: UserId): Promise<SignInEditor | undefined> =>
  (await runner.run(read, [setBy]))[0]

/**
 * SQL: whether a `temporary_set_by` refers to a member who set a temporary password, not to an editor.
 * @param setBy expression that is not null
 */
export const isSetByMember = (setBy: string): string =>
  `NOT EXISTS (SELECT FROM sign_in_editors se WHERE se.id = ${setBy})`

/**
 * SQL: the roles that a role covers. An editor or setter who left covers a plain member, so that a departure does not sign out a whole team.
 */
const covered = (role: string): string => {
  const within = (wanted: string, held: string) =>
    [...permissionsOf(wanted)].every((permission) => permissionsOf(held).has(permission))
  const lines = ROLES.map((held) => {
    const roles = ROLES.filter((wanted) => within(wanted, held)).map((wanted) => `'${wanted}'`)
    return `WHEN '${held}' THEN ARRAY[${roles.join(', ')}]`
  })
  return `CASE ${role} ${lines.join(' ')} ELSE ARRAY['MEMBER'] END`
}

/**
 * SQL: whether a credential that a provider or directory started may still act for a member of this role: neither the editor at that time
 * nor the current last editor has fewer permissions. True for every other credential.
 */
const isCoveredByEditor = (setBy: string, role: string): string =>
  `(${setBy} IS NULL OR NOT EXISTS (SELECT FROM sign_in_editors se
    CROSS JOIN LATERAL (SELECT se.saved_by, se.saved_epoch UNION SELECT saved_by, saved_epoch FROM sso_providers WHERE id = se.source_id
      UNION SELECT saved_by, saved_epoch FROM directories WHERE id = se.source_id) editor
    LEFT JOIN users su ON su.id = editor.saved_by AND su.epoch = editor.saved_epoch AND su.status = 'active'
    LEFT JOIN memberships sm ON sm.user_id = su.id AND sm.organization_id = se.organization_id AND sm.status = 'active'
    WHERE se.id = ${setBy} AND editor.saved_by IS NOT NULL AND NOT ${role} = ANY(${covered('sm.role')})))`

/**
 * SQL: whether a credential that originates from a temporary password may still act for a member of this role: the member who set the
 * password does not have fewer permissions. True for every other credential. Every use reads it, so a setter who loses permissions
 * invalidates any number of credentials at once, without a lock on the accounts that have them.
 * @param setBy expression of its `temporary_set_by`
 * @param role expression of the member's role in the team
 * @param team expression of the team to which the credential is restricted
 */
export const isCoveredBySetter = (setBy: string, role: string, team: string): string =>
  `(${setBy} IS NULL OR NOT ${isSetByMember(setBy)} OR ${role} = ANY(${covered(
    `(SELECT sm.role FROM memberships sm WHERE sm.user_id = ${setBy} AND sm.organization_id = ${team} AND sm.status = 'active')`,
  )}))`

/** SQL: whether a credential may still act for a member of this role. Parameters as of `isCoveredBySetter`. */
export const isCoveredBySetterOrEditor = (setBy: string, role: string, team: string): string =>
  `(${isCoveredByEditor(setBy, role)} AND ${isCoveredBySetter(setBy, role, team)})`

type Checked = [setBy: UserId, role: string, teamId: TeamId]
const check = namedQuery<{ covered: boolean }, Checked>(
  'members.is_covered',
  `SELECT ${isCoveredBySetterOrEditor('$1::uuid', '$2::text', '$3::uuid')} AS covered`,
)
const checkSetter = namedQuery<{ covered: boolean }, Checked>(
  'members.is_covered_by_setter',
  `SELECT ${isCoveredBySetter('$1::uuid', '$2::text', '$3::uuid')} AS covered`,
)

/** Returns whether a credential with this `temporary_set_by` may still act for a member of this role in the team. */
export const isCovered = async (runner: Runner, ...values: Checked): Promise<boolean> =>
  (await runner.run(check, values))[0]?.covered === true

/** Like `isCovered`, for objects that do not depend on the editor of the provider or directory that started their session. */
export const setterCovers = async (runner: Runner, ...values: Checked): Promise<boolean> =>
  (await runner.run(checkSetter, values))[0]?.covered === true
