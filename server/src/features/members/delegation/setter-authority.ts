import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { OriginId, TeamId } from '../../../platform/ids.js'
import { permissionsOf, ROLES } from '../../permissions/index.js'
import { editorsBehind, settersBehind } from './joint-setters.js'

/**
 * SQL: whether a credential originates from a temporary password, not from a session of a provider or directory.
 * @param setBy expression of its `temporary_set_by` that is not null
 */
export const isSetByMember = (setBy: string): string => `NOT EXISTS ${editorsBehind(setBy)}`

/** Like `isSetByMember`, for a column. */
export function isColumnSetByMember(column: AnyPgColumn): SQL {
  const [before, ...after] = isSetByMember(':column').split(':column')
  return sql.join([sql.raw(before ?? ''), ...after.flatMap((part) => [sql`${column}`, sql.raw(part)])])
}

/**
 * SQL: the roles that a role covers. An editor or setter who left covers a plain member, so that a departure does not sign out a whole team.
 * @param role a scalar subquery: for a join, PostgreSQL can read all memberships of a large team
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
  `(${setBy} IS NULL OR NOT EXISTS (SELECT FROM ${editorsBehind(setBy)} se
    CROSS JOIN LATERAL (SELECT se.saved_by, se.saved_epoch UNION SELECT saved_by, saved_epoch FROM sso_providers WHERE id = se.source_id
      UNION SELECT saved_by, saved_epoch FROM directories WHERE id = se.source_id) editor
    WHERE editor.saved_by IS NOT NULL AND NOT ${role} = ANY(${covered(`(SELECT sm.role FROM users su
      JOIN memberships sm ON sm.user_id = su.id AND sm.organization_id = se.organization_id AND sm.status = 'active'
      WHERE su.id = editor.saved_by AND su.epoch = editor.saved_epoch AND su.status = 'active')`)})))`

/**
 * SQL: whether a credential that originates from temporary passwords may still act for a member of this role: no member who set one has
 * fewer permissions. True for every other credential. Every use reads it, so a setter who loses permissions
 * invalidates any number of credentials at once, without a lock on the accounts that have them.
 * @param setBy expression of its `temporary_set_by`
 * @param role expression of the member's role in the team
 * @param team expression of the team to which the credential is restricted
 */
export const isCoveredBySetter = (setBy: string, role: string, team: string): string =>
  `(${setBy} IS NULL OR NOT EXISTS (SELECT FROM ${settersBehind(setBy)} setter
    WHERE (${role} = ANY(${covered(
      `(SELECT sm.role FROM memberships sm WHERE sm.user_id = setter.id AND sm.organization_id = ${team} AND sm.status = 'active')`,
    )})) IS NOT TRUE))`

/** SQL: whether a credential may still act for a member of this role. Parameters as of `isCoveredBySetter`. */
export const isCoveredBySetterOrEditor = (setBy: string, role: string, team: string): string =>
  `(${isCoveredByEditor(setBy, role)} AND ${isCoveredBySetter(setBy, role, team)})`

type Checked = [origin: OriginId, role: string, teamId: TeamId]
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
