import { createHmac } from 'node:crypto'
import type { ServerKey } from '../../../platform/crypto/key-ring.js'

// Derived, not drawn: whoever presents a token within its grace gets the same successor again, and nothing readable is stored.
const derive = (key: ServerKey, from: string, what: string): string =>
  createHmac('sha256', key.key).update(`${what} `).update(from).digest('base64url')

/** The refresh token that follows `token`. */
export const successorOf = (key: ServerKey, token: string): string => derive(key, token, 'refresh successor')

/** The token of a mailed link that can be sent again, from the seed in its row. */
export const linkToken = (key: ServerKey, seed: string): string => derive(key, seed, 'mailed link')

/** The refresh token that a change of team put in the place of the session's earlier one. */
export const successorBySwitch = (key: ServerKey, switchId: string): string => derive(key, switchId, 'team switch')
