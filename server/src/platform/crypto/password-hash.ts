import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { retryLater } from '../errors.js'
import { createFairQueue } from '../fair-queue.js'

/**
 * Argon2id (RFC 9106) behind a queue: at most one hash in flight a core, because four at once on two cores halve the
 * throughput, and a bounded number waiting, because a queue without an end answers nobody. Beyond it: 503 with Retry-After.
 * The encoded hash names its parameters, so they can be raised later and old hashes still verify.
 */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  verify(encoded: string, password: string): Promise<boolean>
  /** As long as `verify`, always false: an account without a password costs the same as one with. */
  verifyNothing(password: string): Promise<false>
  /** Whether the encoded hash was made with weaker parameters than today's. */
  isOutdated(encoded: string): boolean
  /**
   * Reserves a place in the queue for a sign-in, before anything is read for it, until it is disposed.
   * @throws unavailable when the queue is full, or reserved
   */
  reserve(): Disposable
  readonly waiting: number
}

/** Cost of one hash: memory in KiB and the number of passes over it (RFC 9106, 3.1). */
export interface HashCost {
  memoryCost: number
  timeCost: number
}

/** The first recommendation of the OWASP Password Storage Cheat Sheet for Argon2id. */
const COST: HashCost = { memoryCost: 19_456, timeCost: 2 }

/** The one key of the queue: hashes are computed in the order in which they were requested. */
const EVERYONE = ''

/** Seconds over which the retries of rejected clients are spread. */
const RETRY_SPREAD = 5

/** Passwords are compared after NFKC, so that the same keys on two keyboards are the same password. */
export const normalizePassword = (password: string): string => password.normalize('NFKC')

/** @param options `cost` is for tests: the service hashes at the one cost that is written here */
export async function createPasswordHasher(options: {
  queue: number
  parallel?: number
  cost?: HashCost
}): Promise<PasswordHasher> {
  const parameters = { algorithm: 2 /* Argon2id */, parallelism: 1, ...(options.cost ?? COST) }
  const current = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`
  const parallel = options.parallel ?? availableParallelism()
  const queue = createFairQueue(parallel)
  let reserved = 0
  let rejected = 0
  // Clients that were rejected together must not come back together.
  const full = () =>
    retryLater('unavailable', 1 + (rejected++ % RETRY_SPREAD), new Error('The password hash queue is full'))

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (queue.wouldWait(EVERYONE) && queue.waiting() >= options.queue) throw full()
    return queue.run(EVERYONE, work)
  }

  const dummy = await hash('the password of no account', parameters)
  return {
    hash: (password) => inTurn(() => hash(normalizePassword(password), parameters)),
    verify: (encoded, password) => inTurn(() => verify(encoded, normalizePassword(password))),
    async verifyNothing(password) {
      await inTurn(() => verify(dummy, normalizePassword(password)))
      return false
    },
    reserve() {
      // A sign-in computes two hashes.
      const isFull = reserved > 0 && (reserved + 1) * 2 > options.queue + parallel
      if (queue.waiting() >= options.queue || isFull) throw full()
      reserved++
      return { [Symbol.dispose]: () => void reserved-- }
    },
    isOutdated: (encoded) => !encoded.startsWith(current),
    get waiting() {
      return queue.waiting()
    },
  }
}
