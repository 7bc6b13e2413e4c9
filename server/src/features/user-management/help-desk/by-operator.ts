import type { Database, Transaction } from '../../../platform/db/database.js'
import { BY_OPERATOR, COMMAND_LINE_ORIGIN } from '../../../platform/http/actor.js'
import { parseId, type UserId } from '../../../platform/ids.js'
import { memberError } from '../../members/index.js'
import { deleteFactors, type FactorDeps, sendFactorMail } from '../../mfa/index.js'
import { endSessions } from '../../sessions/index.js'
import { lockUser, lockUserByEmail, normalizeEmail, type User } from '../../users/index.js'

type OperatorDeps = FactorDeps & { db: Database }

/** What the operator did to an account. */
interface OperatorAct {
  user: { id: UserId; email: string }
  /** Without grants of applications, which end too. */
  sessionsEnded: number
}

/**
 * Removes all factors of an account, whose user has lost them and cannot sign in, and ends all its sessions and grants. The user is notified.
 * For the command line: the operator has access to the database.
 * @param user email address or ID
 * @throws user_not_found
 */
export function resetFactorsByOperator(
  deps: OperatorDeps,
  user: string,
): Promise<OperatorAct & { factorsRemoved: number }> {
  return deps.db.transaction(async (tx) => {
    const { id, email } = await lockAccount(tx, user)
    const factorsRemoved = await deleteFactors(tx, deps, id)
    const sessionsEnded = await endSessions(tx, deps.clock, { user: id, grants: true }, 'factors_reset')
    await deps.audit.record(tx, BY_OPERATOR, 'user.factors_reset', {
      resource: `user:${id}`,
      metadata: { removed: factorsRemoved },
    })
    if (factorsRemoved > 0)
      await sendFactorMail(tx, deps, email, COMMAND_LINE_ORIGIN, { change: 'disabled', cause: null })
    return { user: { id, email }, factorsRemoved, sessionsEnded }
  })
}

/**
 * Ends all sessions and grants of an account, in every team. For the command line.
 * @param user email address or ID
 * @throws user_not_found
 */
export function endSessionsByOperator({ db, clock, audit }: OperatorDeps, user: string): Promise<OperatorAct> {
  return db.transaction(async (tx) => {
    const { id, email } = await lockAccount(tx, user)
    const sessionsEnded = await endSessions(tx, clock, { user: id, grants: true }, 'ended_by_operator')
    await audit.record(tx, BY_OPERATOR, 'user.sessions_ended', {
      resource: `user:${id}`,
      metadata: { ended: sessionsEnded },
    })
    return { user: { id, email }, sessionsEnded }
  })
}

/** Locks the account with this email address or ID. Runs in the caller's transaction. @throws user_not_found */
async function lockAccount(tx: Transaction, user: string): Promise<User> {
  const id = parseId<UserId>(user)
  const account = id
    ? await lockUser(tx, id)
    : user.includes('@')
      ? await lockUserByEmail(tx, normalizeEmail(user))
      : undefined
  if (!account) throw memberError('user_not_found')
  return account
}
