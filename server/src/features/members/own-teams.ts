import { showsOwnProfile } from './confirmed.js'

/**
 * SQL: the memberships of the user `$1` whose team sees the account, with the aliases `m`, `u` and `o`. Exports of the account read what teams
 * store about the user from these alone: any other team could fill the export, and its data may be about another person.
 */
export const OWN_TEAMS = `memberships m JOIN users u ON u.id = m.user_id JOIN organizations o ON o.id = m.organization_id
  AND m.user_id = $1 AND ${showsOwnProfile('m', 'u')}`

/** SQL: the team `o` in an export of the account. */
export const EXPORTED_TEAM = `jsonb_build_object('id', o.id, 'name', o.name) AS team`
