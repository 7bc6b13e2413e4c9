/**
 * SQL: whether a session was started with the user's own password and a team requires another one: that did not meet the team's policy when
 * it was set, or is older now than the team allows. The aliases are `s` of `sessions` and `u` of `users`. A team password is verified when
 * the session starts.
 * @param teamId an expression for the team's ID
 * @param now an expression for the current time
 */
export const isPasswordDueFor = (teamId: string, now: string): string =>
  `('pwd' = ANY(s.amr) AND s.confined_team_id IS NULL AND (${teamId} = ANY(u.password_due_team_ids)
     OR EXISTS (SELECT FROM password_policies pp WHERE pp.organization_id = ${teamId}
       AND pp.max_age_days > 0 AND u.password_set_at < ${now}::timestamptz - make_interval(hours => 24 * pp.max_age_days))))`
