/**
 * SQL: the ID that the work of a team counts against: the user who created the team, else the user whose automation causes the work, else the
 * team. One user may create any number of teams, and the limits apply to all of them together.
 * @param team the table or alias of `organizations`
 * @param creator expression of the creator or last editor of the automation
 */
export const limitKey = (team: string, creator: string): string =>
  `coalesce(${team}.created_by, ${creator}, ${team}.id)`
