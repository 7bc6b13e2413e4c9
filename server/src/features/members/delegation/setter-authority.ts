import type { Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { permissionsOf, ROLES } from '../../permissions/index.js'

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
