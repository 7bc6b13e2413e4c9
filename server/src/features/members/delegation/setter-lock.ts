import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { UserId } from '../../../platform/ids.js'

interface Wait {
  isExclusive: boolean
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

/** The acts that each open transaction runs at its end, by setter. */
const waits = new WeakMap<Transaction, Map<UserId, Wait>>()

/**
 * Runs `act` at the end of the transaction, under a lock that orders the setting of temporary passwords by a user (shared) and the loss of
 * that user's permissions (exclusive): the later of the two sees the earlier one. The lock is the last of its transaction, in the order of
 * the setters, so it takes part in no deadlock; and it queues fairly, so that a stream of passwords does not delay the loss. One lock for all
 * teams of the setter, because PostgreSQL can hold only a few thousand.
 * @param act runs although a savepoint before the call was rolled back: it must read what the transaction finally wrote
 */
export function atEndWithSetter(tx: Transaction, setter: UserId, isExclusive: boolean, act: () => Promise<void>): void {
  let ofTransaction = waits.get(tx)
  if (!ofTransaction) {
    const created = new Map<UserId, Wait>()
    ofTransaction = created
    waits.set(tx, created)
    tx.beforeCommit(() => runAll(tx, created))
  }
  const wait = ofTransaction.get(setter) ?? { isExclusive, acts: [] }
  ofTransaction.set(setter, { isExclusive: wait.isExclusive || isExclusive, acts: [...wait.acts, act] })
}

async function runAll(tx: Transaction, ofTransaction: Map<UserId, Wait>): Promise<void> {
  const inOrder = [...ofTransaction].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [setter, { isExclusive }] of inOrder) await tx.run(isExclusive ? lockSetter : shareSetter, [setter])
  for (const [, { acts }] of inOrder) for (const act of acts) await act()
}
