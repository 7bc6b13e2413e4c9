import { createHmac } from 'node:crypto'
import type { ServerKey } from '../../../platform/crypto/key-ring.js'

/** Derives the successor of a refresh token, so that a client which presents the token again within the reuse interval gets the same successor. */
export const successorOfToken = ({ key }: ServerKey, token: string): string =>
  createHmac('sha256', key).update('application refresh successor ').update(token).digest('base64url')
