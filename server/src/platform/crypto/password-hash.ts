import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createFairQueue } from '../concurrency/fair-queue.js'
import { retryLater } from '../errors.js'

/**
 * Argon2id (RFC 9106) behind a queue. At most one hash runs per core, because four on two cores halve the throughput. The queue is
 * bounded; beyond it requests fail with 503 and Retry-After. Hashes that administrators of teams request run at most every second
 * time, and are served round-robin by the creator of the team. The encoded hash contains its parameters, so that they can be raised
 * and old hashes still verify.
 */
export interface PasswordHasher {
  /**
   * @param turns the queue key (`queueKeyOf`) of a hash that an administrator requests for another user; default: the queue of sign-ins
   * @throws unavailable if too many hashes wait, in total or for this key
   */
  hash(password: string, turns?: string): Promise<string>
  verify(encoded: string, password: string): Promise<boolean>
  /** Takes as long as `verify` and returns false, so that timing does not reveal accounts without a password. */
  verifyNothing(password: string): Promise<false>
  /** Returns whether the hash has weaker parameters than the current ones. */
  isOutdated(encoded: string): boolean
  /**
   * Reserves a slot in the queue for a sign-in, before any database read, until the result is disposed. Disposing twice has no effect.
   * @throws unavailable if the queue is full or reserved
   */
  reserve(): Disposable
  readonly waiting: number
}

/** The cost of one hash: memory in KiB and number of passes (RFC 9106 3.1). */
export interface HashCost {
  memoryCost: number
  timeCost: number
}

/** The first recommendation of the OWASP Password Storage Cheat Sheet for Argon2id. */
const COST: HashCost = { memoryCost: 19_456, timeCost: 2 }

/** The keys of the queue. Under each of them, hashes are computed in the order in which they were requested. */
const SIGN_INS = 'sign-ins'
const TEAMS = 'teams'

/** The share of the teams' queue that the teams of one creator can occupy. */
const SHARE_OF_CREATOR = 1 / 4

/** Seconds over which the retries of rejected clients are spread. */
const RETRY_SPREAD = 5

/** Normalizes to NFKC, so that the same characters from different keyboards are the same password. */
export const normalizePassword = (password: string): string => password.normalize('NFKC')

/** @param options `cost` is for tests only */
export async function createPasswordHasher(options: {
  queue: number
  parallel?: number
  cost?: HashCost
  /** Called with the milliseconds of each computation. */
  onComputed?: (milliseconds: number) => void
}): Promise<PasswordHasher> {
  const parameters = { algorithm: 2 /* Argon2id */, parallelism: 1, ...(options.cost ?? COST) }
  const current = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`
  const parallel = options.parallel ?? availableParallelism()
  const queue = createFairQueue(parallel)
  /** Bounds the hashes of teams that wait in `queue` to the number of cores. */
  const ofTeams = createFairQueue(parallel)
  const mostOfCreator = Math.max(1, Math.floor(options.queue * SHARE_OF_CREATOR))
  let reserved = 0
  let rejected = 0
  // Clients that were rejected together must not retry together.
  const full = () =>
    retryLater('unavailable', 1 + (rejected++ % RETRY_SPREAD), new Error('The password hash queue is full'))

  const timed =
    <T>(work: () => Promise<T>) =>
    async (): Promise<T> => {
      const begun = performance.now()
      const result = await work()
      options.onComputed?.(performance.now() - begun)
      return result
    }

  async function runForSignIn<T>(work: () => Promise<T>): Promise<T> {
    if (queue.wouldWait(SIGN_INS) && queue.waiting(SIGN_INS) >= options.queue) throw full()
    return queue.run(SIGN_INS, timed(work))
  }

  async function runForTeam<T>(turns: string, work: () => Promise<T>): Promise<T> {
    const isFull = ofTeams.waiting() >= options.queue || ofTeams.waiting(turns) >= mostOfCreator
    if (ofTeams.wouldWait(turns) && isFull) throw full()
    return ofTeams.run(turns, () => queue.run(TEAMS, timed(work)))
  }

  const dummy = await hash('the password of no account', parameters)
  return {
    hash(password, turns) {
      const work = () => hash(normalizePassword(password), parameters)
      return turns === undefined ? runForSignIn(work) : runForTeam(turns, work)
    },
    verify: (encoded, password) => runForSignIn(() => verify(encoded, normalizePassword(password))),
    async verifyNothing(password) {
      await runForSignIn(() => verify(dummy, normalizePassword(password)))
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
