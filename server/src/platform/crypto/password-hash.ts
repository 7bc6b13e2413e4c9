import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { retryLater } from '../errors.js'
import { createFairQueue } from '../fair-queue.js'

/**
 * Argon2id (RFC 9106) behind a queue: at most one hash in flight a core, because four at once on two cores halve the
 * throughput, and a bounded number waiting, because a queue without an end answers nobody. Beyond it: 503 with Retry-After. Hashes that
 * administrators of teams request have every second turn at most, and take turns among each other by the creator of the team.
 * The encoded hash names its parameters, so they can be raised later and old hashes still verify.
 */
export interface PasswordHasher {
  /**
   * @param turns for a hash that an administrator of a team requests for somebody else: whose turns it uses (`turnsOf`); left out, it
   *   has its turn among the sign-ins
   * @throws unavailable when too many wait, in total or of these turns
   */
  hash(password: string, turns?: string): Promise<string>
  verify(encoded: string, password: string): Promise<boolean>
  /** As long as `verify`, always false: an account without a password costs the same as one with. */
  verifyNothing(password: string): Promise<false>
  /** Whether the encoded hash was made with weaker parameters than today's. */
  isOutdated(encoded: string): boolean
  /**
   * Reserves a place in the queue for a sign-in, before anything is read for it, until it is disposed; once more changes nothing.
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

/** The keys of the queue. Under each of them, hashes are computed in the order in which they were requested. */
const SIGN_INS = 'sign-ins'
const TEAMS = 'teams'

/** How much of the queue of the teams' hashes the teams of one creator may take. */
const SHARE_OF_CREATOR = 1 / 4

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
  /** No more of them than there are cores wait in the queue itself. */
  const ofTeams = createFairQueue(parallel)
  const mostOfCreator = Math.max(1, Math.floor(options.queue * SHARE_OF_CREATOR))
  let reserved = 0
  let rejected = 0
  // Clients that were rejected together must not come back together.
  const full = () =>
    retryLater('unavailable', 1 + (rejected++ % RETRY_SPREAD), new Error('The password hash queue is full'))

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (queue.wouldWait(SIGN_INS) && queue.waiting(SIGN_INS) >= options.queue) throw full()
    return queue.run(SIGN_INS, work)
  }

  async function inTurnOf<T>(turns: string, work: () => Promise<T>): Promise<T> {
    const isFull = ofTeams.waiting() >= options.queue || ofTeams.waiting(turns) >= mostOfCreator
    if (ofTeams.wouldWait(turns) && isFull) throw full()
    return ofTeams.run(turns, () => queue.run(TEAMS, work))
  }

  const dummy = await hash('the password of no account', parameters)
  return {
    hash(password, turns) {
      const work = () => hash(normalizePassword(password), parameters)
      return turns === undefined ? inTurn(work) : inTurnOf(turns, work)
    },
    verify: (encoded, password) => inTurn(() => verify(encoded, normalizePassword(password))),
    async verifyNothing(password) {
      await inTurn(() => verify(dummy, normalizePassword(password)))
      return false
    },
    reserve() {
      // A sign-in computes two hashes.
      const isFull = reserved > 0 && (reserved + 1) * 2 > options.queue + parallel
      if (queue.waiting(SIGN_INS) >= options.queue || isFull) throw full()
      reserved++
      let isHeld = true
      return {
        [Symbol.dispose]() {
          if (isHeld) reserved--
          isHeld = false
        },
      }
    },
    isOutdated: (encoded) => !encoded.startsWith(current),
    get waiting() {
      return queue.waiting() + ofTeams.waiting()
    },
  }
}
