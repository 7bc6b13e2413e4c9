import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { retryLater } from '../errors.js'

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
  readonly waiting: number
}

const PARAMETERS = { algorithm: 2 /* Argon2id */, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const CURRENT = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$`

/** Passwords are compared after NFKC, so that the same keys on two keyboards are the same password. */
export const normalizePassword = (password: string): string => password.normalize('NFKC')

export async function createPasswordHasher(options: { queue: number; parallel?: number }): Promise<PasswordHasher> {
  const parallel = options.parallel ?? availableParallelism()
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= parallel) {
      if (waiting.length >= options.queue)
        throw retryLater('unavailable', 1, new Error('The password hash queue is full'))
      await new Promise<void>((resume) => waiting.push(resume))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      // The place passes to the next in line without being given up in between.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  const nobody = await hash('a password that nobody has', PARAMETERS)
  return {
    hash: (password) => inTurn(() => hash(normalizePassword(password), PARAMETERS)),
    verify: (encoded, password) => inTurn(() => verify(encoded, normalizePassword(password))),
    async verifyNothing(password) {
      await inTurn(() => verify(nobody, normalizePassword(password)))
      return false
    },
    isOutdated: (encoded) => !encoded.startsWith(CURRENT),
    get waiting() {
      return waiting.length
    },
  }
}
