import { randomUUID } from 'node:crypto'
import type { UserId } from '../../platform/ids.js'

/**
 * Returns a random ID (UUID version 4), unlike other IDs, which contain the time of their creation: a team that adds an email address gets the ID
 * of its account, and must not learn how old the account is.
 */
export const newUserId = (): UserId => randomUUID() as UserId
