import type { Transaction } from '../../../platform/db/database.js'
import { SignOnNotCompiled } from '../../policies/index.js'
import type { AccountDeps } from '../deps.js'

/** How often a sign-in begins anew because the policies of its team have changed, before it compiles them while it waits. */
const TRIES = 3

/**
 * Runs the transaction of a sign-in in the turns of its account. If many policies of a team have to be compiled for it, that happens outside
 * of the transaction, which begins anew.
 * @param account what is known of it before the transaction, such as the email address
 * @throws rate_limited if too many sign-ins to the account wait
 */
export async function signInTransaction<T>(
  deps: AccountDeps,
  account: string,
  work: (tx: Transaction, deps: AccountDeps) => Promise<T>,
): Promise<T> {
  const inTurn = (given: AccountDeps) =>
    deps.signInTurns.take(account, () => deps.db.transaction((tx) => work(tx, given)))
  const compiled: AccountDeps = {
    ...deps,
    decideSignOn: (tx, teamId, question) => deps.decideSignOn(tx, teamId, question, false),
  }
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await inTurn(compiled)
    } catch (error) {
      if (!(error instanceof SignOnNotCompiled)) throw error
      // The sign-in finds a failure, such as a deleted team, again.
      await error.compile().catch(() => undefined)
    }
  }
  return inTurn(deps)
}
