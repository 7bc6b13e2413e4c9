import { createHmac } from 'node:crypto'
import type { ServerKey } from '../../../platform/crypto/key-ring.js'

/** The refresh token of an application that follows `token`: whoever presents a token within its grace gets the same one again. */
export const successorOfToken = ({ key }: ServerKey, token: string): string =>
  createHmac('sha256', key).update('application refresh successor ').update(token).digest('base64url')
