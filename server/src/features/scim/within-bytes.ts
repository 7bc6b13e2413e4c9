import { type SQL, sql } from 'drizzle-orm'
import type { TeamId } from '../../platform/ids.js'
import { groupMembers } from '../groups/index.js'

/** How much is kept of the users of one page, unless of its first alone is more. In bytes. */
const MOST_OF_PAGE = 2_097_152
/** What a user is in an answer beside what is kept, and what one of their groups is; about, in bytes. */
const OF_A_USER = 512
const OF_A_GROUP = 256

/**
 * A page of users that ends before its answer gets too long. It is measured in the database, so that what is not answered is not
 * read either; and in the order of the page, so that nothing is sorted anew.
 * @param page the users as `UserRow`s
 */
export function withinBytes(page: SQL, teamId: TeamId, withGroups: boolean): SQL {
  const inGroups = sql`(SELECT count(*) FROM ${groupMembers} gm WHERE gm.user_id = p."userId" AND gm.organization_id = ${teamId})`
  const groups = withGroups ? sql` + ${OF_A_GROUP} * ${inGroups}` : sql``
  return sql`SELECT * FROM (
      SELECT m.*, sum(m.bytes) OVER (ROWS UNBOUNDED PRECEDING) AS until, row_number() OVER () AS place
      FROM (SELECT p.*, ${OF_A_USER} + coalesce(octet_length(p.stored::text), 0)${groups} AS bytes FROM (${page}) p) m
    ) q WHERE q.until <= ${MOST_OF_PAGE} OR q.place = 1 ORDER BY q.place`
}
