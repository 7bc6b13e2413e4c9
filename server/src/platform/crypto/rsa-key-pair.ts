import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { createFairQueue } from '../concurrency/fair-queue.js'
import type { Database, Transaction } from '../db/database.js'
import type { TeamId } from '../ids.js'
import { type Throttle, throttleKey } from '../throttle/throttle.js'

/**
 * Every SAML and OpenID Connect product accepts 2,048 bits. A signature with 3,072 bits costs five times as much (3.1 instead of
 * 0.7 ms on one core), and a SAML sign-in needs two of them.
 */
const BITS = 2_048

export interface KeyPair {
  publicKey: KeyObject
  privateKey: KeyObject
}

/** Generates an RSA key pair. Takes a tenth of a second or more: never call it inside a transaction. */
export type GenerateRsaKeyPair = () => Promise<KeyPair>

const generateInThread = promisify(generateKeyPair)

/** Generates a 2,048-bit key pair in the thread pool. */
export const generateRsaKeyPair: GenerateRsaKeyPair = () => generateInThread('rsa', { modulusLength: BITS })

/** Generates the key pairs of teams. */
export interface RsaKeyPairs {
  /** Generates a key pair, queued by the team's creator. Never call it inside a transaction. */
  generate(team: TeamId): Promise<KeyPair>
  /** Like `generate`, for a request of an administrator, which counts toward the team's limit. @throws rate_limited */
  generateOnRequest(team: TeamId): Promise<KeyPair>
}

/**
 * Generates one key pair at a time from a fair queue: passwords are hashed in the same threads, and administrators who generate keys
 * must delay neither sign-ins nor the keys of other users' teams.
 * @param queueKeyOf returns the queue key of a team, which all teams of one creator share
 * @param perHour the number of key pairs that can be requested for a team per hour; 0 = unlimited
 */
export function createRsaKeyPairs({
  db,
  throttle,
  queueKeyOf,
  perHour,
  generatePair = generateRsaKeyPair,
}: {
  db: Database
  throttle: Throttle
  queueKeyOf: (tx: Transaction, team: TeamId) => Promise<string>
  perHour: number
  generatePair?: GenerateRsaKeyPair | undefined
}): RsaKeyPairs {
  const queue = createFairQueue(1)
  const queueKeyOfTeam = (team: TeamId) => db.transaction((tx) => queueKeyOf(tx, team))
  return {
    generate: async (team) => queue.run(await queueKeyOfTeam(team), generatePair),
    async generateOnRequest(team) {
      const queueKey = await queueKeyOfTeam(team)
      await throttle.admitHourly(db, throttleKey('rsa-key', team), perHour)
      return queue.run(queueKey, generatePair)
    },
  }
}
