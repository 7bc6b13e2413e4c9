/**
 * SQL: whether a session was started with the user's own password and that is older now than a team allows. The aliases are `s` of
 * `sessions` and `u` of `users`. A team password is verified when the session starts.
 * @param teamId an expression for the team's ID
 * @param now an expression for the current time
 */
export const isPasswordAgedFor = (teamId: string, now: string): string =>
  `('pwd' = ANY(s.amr) AND s.confined_team_id IS NULL AND EXISTS (SELECT FROM password_policies pp WHERE pp.organization_id = ${teamId}
     AND pp.max_age_days > 0 AND u.password_set_at < ${now}::timestamptz - make_interval(hours => 24 * pp.max_age_days)))`
