import { createHmac } from 'node:crypto'
import type { ServerKey } from '../../platform/crypto/key-ring.js'

// Derived instead of random: a repeated request within the grace period gets the same token, and only hashes are stored.
const derive = (key: ServerKey, from: string, what: string): string =>
  createHmac('sha256', key.key).update(`${what} `).update(from).digest('base64url')

/** Returns the refresh token that follows `token`. */
export const successorOf = (key: ServerKey, token: string): string => derive(key, token, 'refresh successor')

/** Returns the token of a mailed link that can be sent again, from the seed in its row. */
export const linkToken = (key: ServerKey, seed: string): string => derive(key, seed, 'mailed link')

/** Returns the refresh token that a team switch issued in place of the earlier one. */
export const successorBySwitch = (key: ServerKey, switchId: string): string => derive(key, switchId, 'team switch')
