import type { AppError } from '../../../platform/app-error.js'

import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import {
  currentPassword,
  type PasswordLogin,
  type StoredPassword,
  TEMPORARY_PASSWORD_LIFETIME,
  upgradeHash,
} from '../../passwords/index.js'
import type { User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import type { SignIn } from '../pipeline/sign-in-step.js'

/** A correct password: the account's own, a team password (`proveByStored`), or that of a team's directory (`proveByDirectory`). */
export interface PasswordProof {
  /** The only team in which it is valid; null: the account's own password. */
  restrictedTo: TeamId | null
  /**
   * Verifies the proof again under the lock of the account, once no lockout rejects it. Returns the fields of the sign-in that depend on the
   * password; undefined if it was replaced meanwhile; or why its directory may not sign the user in. Runs in the caller's transaction.
   */
  confirm(tx: Transaction, user: User): Promise<ProvedFields | { rejected: AppError } | undefined>
}

type ProvedFields = Pick<SignIn, 'method' | 'passwordSetAt' | 'temporarySetBy' | 'passwordDue'>

type PasswordDeps = Pick<AccountDeps, 'clock' | 'hasher'>

const isExpired = ({ clock }: Pick<AccountDeps, 'clock'>, { isTemporary, setAt }: StoredPassword): boolean =>
  isTemporary && clock.ms() - setAt.getTime() > TEMPORARY_PASSWORD_LIFETIME

/**
 * Returns the stored password if it is the given one and has not expired. Without a stored one, computes an equally expensive hash, so that
 * the response time does not reveal it.
 */
export async function verifyStored(
  { hasher, clock }: PasswordDeps,
  stored: StoredPassword | null | undefined,
  password: string,
): Promise<StoredPassword | undefined> {
  const isRight = await (stored ? hasher.verify(stored.hash, password) : hasher.verifyNothing(password))
  return isRight && stored && !isExpired({ clock }, stored) ? stored : undefined
}

/** The stored passwords that match the one of a sign-in. */
export interface StoredMatch {
  own: StoredPassword | undefined
  team: StoredPassword | undefined
  /** Undefined if neither matches. */
  proof: PasswordProof | undefined
}

/**
 * Proves a password by the account's own and by the team password. Hashing is slow, so it runs outside the transaction. Always two hashes,
 * so that the response time does not reveal which passwords the account has.
 */
export async function proveByStored(
  deps: PasswordDeps,
  login: PasswordLogin | undefined,
  password: string,
): Promise<StoredMatch> {
  const hashing = [verifyStored(deps, login?.own, password), verifyStored(deps, login?.team, password)] as const
  // Waits for both, so that no hash is still running when the request is rejected.
  await Promise.allSettled(hashing)
  const [own, team] = await Promise.all(hashing)
  // The team password first: a team must not learn whether a password that it set also matches the account's own.
  const right = team ?? own
  if (!right) return { own, team, proof: undefined }
  const { restrictedTo, setAt, temporarySetBy, isTemporary } = right
  const upgraded = deps.hasher.isOutdated(right.hash) ? await deps.hasher.hash(password) : undefined
  const proof: PasswordProof = {
    restrictedTo,
    async confirm(tx, user) {
      if (!(await isCurrent(tx, deps, user.id, right))) return undefined
      if (upgraded) await upgradeHash(tx, user.id, restrictedTo, upgraded)
      const passwordDue = isTemporary ? 'temporary' : null
      return { method: 'password', passwordSetAt: setAt, temporarySetBy, passwordDue }
    },
  }
  return { own, team, proof }
}

/** Returns whether the password was neither replaced since it was verified nor has expired. Runs in the caller's transaction. */
async function isCurrent(
  tx: Transaction,
  deps: Pick<AccountDeps, 'clock'>,
  userId: UserId,
  { hash, restrictedTo }: StoredPassword,
): Promise<boolean> {
  const current = await currentPassword(tx, userId, restrictedTo)
  return current?.hash === hash && !isExpired(deps, current)
}
