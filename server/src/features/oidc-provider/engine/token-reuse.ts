import { createHmac } from 'node:crypto'
import type { Clock } from '../../../platform/clock.js'
import type { ServerKey } from '../../../platform/crypto/key-ring.js'
import type { Transaction } from '../../../platform/db/database.js'
import { revokeGrant } from '../../sessions/index.js'
import type { PresentedToken } from './engine-context.js'

/** Derives the successor of a refresh token, so that a client which presents the token again within the reuse interval gets the same successor. */
export const successorOfToken = ({ key }: ServerKey, token: string): string =>
  createHmac('sha256', key).update('application refresh successor ').update(token).digest('base64url')

/** Revokes the grant of a code or refresh token that was presented again (RFC 6749 4.1.2, RFC 9700 4.14.2). Runs in the caller's transaction. */
export const revokeReplayedGrant = (tx: Transaction, clock: Clock, { kind, grant }: PresentedToken): Promise<unknown> =>
  revokeGrant(tx, clock, grant.id, kind === 'RefreshToken' ? 'refresh_reused' : 'code_replayed')
