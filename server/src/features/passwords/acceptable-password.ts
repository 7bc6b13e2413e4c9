import type { PasswordHasher } from '../../platform/crypto/password-hash.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { PasswordPolicy } from '../password-policy/index.js'
import { rejection } from './errors.js'
import { currentPassword, lastPasswords } from './password-repository.js'
import { failedRules, rejectFailed } from './password-rules.js'

interface RuleDeps {
  db: Database
  hasher: PasswordHasher
  commonPasswords: ReadonlySet<string>
}

/** A new password. */
interface Choice {
  /** The account; absent for a new account. */
  userId?: UserId
  /** The team of a team password; null: the own password. Only compared with earlier passwords of the same restriction. */
  restrictedTo?: TeamId | null
  password: string
  /** The policy that applies: `passwordPolicyOf`, `strictestPasswordPolicy` or the default. */
  policy: PasswordPolicy
  /** JSON pointer to the password in the request. */
  path: string
}

/** The current password with which a new one was compared; undefined if the policy has no history. */
export type ComparedWith = { current: string | null } | undefined

/**
 * Validates a new password against the policy and the earlier passwords. Endpoints that create an account or a temporary password call
 * `requireCompliantPassword` instead. It computes hashes, so it runs before the transaction that sets the password,
 * which then calls `rejectIfReplaced` with the result.
 * @throws password_policy with each violated rule
 */
export async function requireAcceptablePassword(
  { db, hasher, commonPasswords }: RuleDeps,
  { userId, restrictedTo = null, password, policy, path }: Choice,
): Promise<ComparedWith> {
  const errors = failedRules(password, policy, commonPasswords, path)
  // Not compared with the history after another violation: the caller could guess earlier passwords without setting one.
  rejectFailed(errors)
  const last =
    userId && policy.historyCount > 0 ? await lastPasswords(db, userId, restrictedTo, policy.historyCount) : undefined
  for (const hash of last?.hashes ?? []) {
    if (!(await hasher.verify(hash, password))) continue
    errors.push({ path, rule: 'history', message: differsFrom(policy.historyCount) })
    break
  }
  rejectFailed(errors)
  return last && { current: last.current }
}

const differsFrom = (count: number): string =>
  count === 1 ? 'must differ from the current password' : `must differ from the last ${count} passwords`

/**
 * Rejects the new password if the current one was replaced since `requireAcceptablePassword`, because it was not compared with the
 * replacement. Runs in the caller's transaction, which has locked the account.
 * @throws password_replaced
 */
export async function rejectIfReplaced(
  tx: Transaction,
  userId: UserId,
  restrictedTo: TeamId | null,
  compared: ComparedWith,
): Promise<void> {
  if (!compared) return
  const now = await currentPassword(tx, userId, restrictedTo)
  if ((now?.hash ?? null) !== compared.current) throw rejection('password_replaced')
}
