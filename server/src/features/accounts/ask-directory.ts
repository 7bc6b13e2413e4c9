import { parseId, type TeamId } from '../../platform/ids.js'
import { judgeLockout, refusesAttempt } from './account-lockout.js'
import type { AccountDeps } from './deps.js'
import type { DirectoryProof } from './directory-proof.js'

/**
 * Asks the directory of an account, unless the account's own password was right, or the account is closed: then nobody guesses there
 * either. Which of these it is changes nothing of what is done here, so that nobody can tell a right password from how long it takes.
 */
export async function askDirectory(
  deps: AccountDeps,
  {
    email,
    password,
    teamId,
    device,
    right,
  }: { email: string; password: string; teamId: string | null; device: Buffer | undefined; right: boolean },
): Promise<DirectoryProof | undefined> {
  const wanted = teamId === null ? null : parseId<TeamId>(teamId)
  if (wanted === undefined) return undefined
  const mayAsk = async () => {
    const closed = await deps.db.transaction(async (tx) =>
      refusesAttempt(await judgeLockout(tx, deps, email, device), teamId),
    )
    return !closed && !right
  }
  return deps.proveByDirectory({ email, password, teamId: wanted, mayAsk })
}
