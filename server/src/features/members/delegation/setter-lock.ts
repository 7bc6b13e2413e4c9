import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../../platform/ids.js'

/** A member of a team who sets temporary passwords there. */
export interface Setter {
  teamId: TeamId
  userId: UserId
}

interface Wait {
  isExclusive: boolean
  acts: (() => Promise<void>)[]
}

const lockSetter = namedQuery<never, [string]>(
  'members.lock_setter',
  "SELECT pg_advisory_xact_lock(hashtextextended('temporary passwords of ' || $1, 0))",
)
const shareSetter = namedQuery<never, [string]>(
  'members.share_setter',
  "SELECT pg_advisory_xact_lock_shared(hashtextextended('temporary passwords of ' || $1, 0))",
)

/** What each open transaction does at its end, by setter. */
const waits = new WeakMap<Transaction, Map<string, Wait>>()

/**
 * Runs `act` at the end of the transaction, under a lock that orders the setting of temporary passwords by a member (shared) and the loss of
 * that member's permissions (exclusive): the later of the two sees the earlier one. The lock is the last of its transaction, in the order of
 * the setters, so it takes part in no deadlock; and it queues fairly, so that a stream of passwords does not delay the loss.
 */
export function atEndWithSetter(
  tx: Transaction,
  { teamId, userId }: Setter,
  isExclusive: boolean,
  act: () => Promise<void>,
): void {
  let ofTransaction = waits.get(tx)
  if (!ofTransaction) {
    const created = new Map<string, Wait>()
    ofTransaction = created
    waits.set(tx, created)
    tx.beforeCommit(() => runAll(tx, created))
  }
  const key = `${userId} in ${teamId}`
  const wait = ofTransaction.get(key) ?? { isExclusive, acts: [] }
  ofTransaction.set(key, { isExclusive: wait.isExclusive || isExclusive, acts: [...wait.acts, act] })
}

async function runAll(tx: Transaction, ofTransaction: Map<string, Wait>): Promise<void> {
  const inOrder = [...ofTransaction].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [key, { isExclusive }] of inOrder) await tx.run(isExclusive ? lockSetter : shareSetter, [key])
  for (const [, { acts }] of inOrder) for (const act of acts) await act()
}
