import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { UserId } from '../../../platform/ids.js'

interface Ending {
  /** Whether the lock of each setter is exclusive. */
  locks: Map<UserId, boolean>
  acts: (() => Promise<void>)[]
}

const lockSetter = namedQuery<never, [UserId]>(
  'members.lock_setter',
  "SELECT pg_advisory_xact_lock(hashtextextended('temporary passwords of ' || $1::text, 0))",
)
const shareSetter = namedQuery<never, [UserId]>(
  'members.share_setter',
  "SELECT pg_advisory_xact_lock_shared(hashtextextended('temporary passwords of ' || $1::text, 0))",
)

/** The ends of the open transactions. */
const endings = new WeakMap<Transaction, Ending>()

/**
 * Runs `act` at the end of the transaction, under a lock that orders the setting of temporary passwords by users (shared) and the loss
 * of a user's permissions (exclusive): the later of the two sees the earlier one. The lock is the last of its transaction, in the order of
 * the setters, so it takes part in no deadlock; and it queues fairly, so that a stream of passwords does not delay the loss. One lock for all
 * teams of the setter, because PostgreSQL can hold only a few thousand.
 * @param act runs although a savepoint before the call was rolled back: it must read what the transaction finally wrote
 */
export function atEndWithSetters(
  tx: Transaction,
  setters: readonly UserId[],
  isExclusive: boolean,
  act: () => Promise<void>,
): void {
  let ending = endings.get(tx)
  if (!ending) {
    const created: Ending = { locks: new Map(), acts: [] }
    ending = created
    endings.set(tx, created)
    tx.beforeCommit(() => end(tx, created))
  }
  for (const setter of setters) ending.locks.set(setter, isExclusive || ending.locks.get(setter) === true)
  ending.acts.push(act)
}

async function end(tx: Transaction, { locks, acts }: Ending): Promise<void> {
  const inOrder = [...locks].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [setter, isExclusive] of inOrder) await tx.run(isExclusive ? lockSetter : shareSetter, [setter])
  for (const act of acts) await act()
}
