import { parseId, type TeamId } from '../../platform/ids.js'
import { judgeLockout, refusesAttempt } from './account-lockout.js'
import type { AccountDeps } from './deps.js'
import type { DirectoryProof } from './directory-proof.js'

/** Asks the directory of an account, unless the account is closed: then nobody guesses there either. */
export async function askDirectory(
  deps: AccountDeps,
  {
    email,
    password,
    teamId,
    device,
  }: { email: string; password: string; teamId: string | null; device: Buffer | undefined },
): Promise<DirectoryProof | undefined> {
  const wanted = teamId === null ? null : parseId<TeamId>(teamId)
  if (wanted === undefined) return undefined
  const closed = await deps.db.transaction(async (tx) =>
    refusesAttempt(await judgeLockout(tx, deps, email, device), teamId),
  )
  if (closed) return undefined
  return deps.proveByDirectory({ email, password, teamId: wanted })
}
