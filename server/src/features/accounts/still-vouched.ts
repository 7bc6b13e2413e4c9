import type { SignInStep } from './sign-in-step.js'

/**
 * A sign-in that waited for its second factor goes on only if the provider that vouched for it still does. One that did not wait was
 * judged a moment ago by whoever brought the statement.
 */
export const stillVouched: SignInStep = async (tx, { refuseVouched }, signIn) => {
  const { vouched, team, factor } = signIn
  const refused = vouched && team && factor && (await refuseVouched(tx, vouched, team.role))
  return refused ? { refused } : signIn
}
