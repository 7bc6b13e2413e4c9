import type { PasswordHasher } from '../../platform/crypto/password-hash.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { PasswordPolicy } from '../policies/index.js'
import { rejection } from './errors.js'
import { failedRules, rejectFailed } from './password-rules.js'
import { currentPassword, lastPasswords } from './repository.js'

interface RuleDeps {
  db: Database
  hasher: PasswordHasher
  commonPasswords: ReadonlySet<string>
}

/** A password to be set. */
interface Choice {
  /** The account whose password it becomes; left out for a new account. */
  userId?: UserId
  /** The team that it opens alone; null: unrestricted. It is compared with previous passwords of the same restriction alone. */
  restrictedTo?: TeamId | null
  password: string
  /** Of the team that has a say here: `passwordPolicyOf`, `strictestPasswordPolicy` or the default. */
  policy: PasswordPolicy
  /** Where the password stands in the request, as a JSON pointer. */
  path: string
}

/** Which password a new one was compared with; undefined when the policy compares none. */
export type ComparedWith = { current: string | null } | undefined

/**
 * The one judge of a new password, for every door. It reads and hashes, and therefore runs before the transaction that sets the
 * password; that one then calls `rejectIfReplaced` with the answer.
 * @throws password_policy naming each rule that failed
 */
export async function requireAcceptablePassword(
  { db, hasher, commonPasswords }: RuleDeps,
  { userId, restrictedTo = null, password, policy, path }: Choice,
): Promise<ComparedWith> {
  const errors = failedRules(password, policy, commonPasswords, path)
  // A candidate that fails another rule is not compared: the caller would test passwords without ever setting one.
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
 * A step: the password with which a new one was compared is still the current one. Where two set a password at the same
 * moment, one of them would otherwise be compared with too few. The account is locked.
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
