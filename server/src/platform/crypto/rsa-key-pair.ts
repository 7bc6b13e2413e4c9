import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database, Transaction } from '../db/database.js'
import { createFairQueue } from '../fair-queue.js'
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

/** Generates a key pair of 2,048 bits in a thread of the pool. */
export const generateRsaKeyPair: GenerateRsaKeyPair = () => generateInThread('rsa', { modulusLength: BITS })

/** The key pairs that teams need. */
export interface RsaKeyPairs {
  /** Generates a key pair in the turn of the team's creator. Not inside a transaction. */
  generate(team: TeamId): Promise<KeyPair>
  /** As `generate`, for a caller who requested a key: counts it for the team. @throws rate_limited beyond the hourly number */
  generateOnRequest(team: TeamId): Promise<KeyPair>
}

/**
 * Generates one key pair at a time, in fair turns: passwords are hashed in the same threads, and administrators who generate keys must delay
 * neither sign-ins nor the keys of other users' teams.
 * @param turnsOf whose turns a team uses: all teams of one creator use the same
 * @param perHour how many key pairs callers may request for a team in an hour; 0: without limit
 */
export function createRsaKeyPairs({
  db,
  throttle,
  turnsOf,
  perHour,
  generatePair = generateRsaKeyPair,
}: {
  db: Database
  throttle: Throttle
  turnsOf: (tx: Transaction, team: TeamId) => Promise<string>
  perHour: number
  generatePair?: GenerateRsaKeyPair | undefined
}): RsaKeyPairs {
  const queue = createFairQueue(1)
  const turnsOfTeam = (team: TeamId) => db.transaction((tx) => turnsOf(tx, team))
  return {
    generate: async (team) => queue.run(await turnsOfTeam(team), generatePair),
    async generateOnRequest(team) {
      const turns = await turnsOfTeam(team)
      await throttle.admitHourly(db, throttleKey('rsa-key', team), perHour)
      return queue.run(turns, generatePair)
    },
  }
}
