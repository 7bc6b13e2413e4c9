import type { IncomingMessage } from 'node:http'
import { retryLater } from '../errors.js'
import { STANDARD_BODY } from './body-limits.js'

/** Bodies of more than 64 kB that a node receives at once from unauthenticated clients. */
const MAX_AT_ONCE = 32

/**
 * Bounds the memory that slow clients can occupy on public routes with a large limit, such as those of SAML. Bodies within the
 * standard limit are not counted.
 */
export function createLargeBodies(): { admit(request: IncomingMessage): void } {
  let receiving = 0
  return {
    /** @throws unavailable */
    admit(request) {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      if (encoding === undefined && Number(length ?? 0) <= STANDARD_BODY.bytes) return
      if (receiving >= MAX_AT_ONCE) throw retryLater('unavailable', 1, new Error('Too many large bodies are received'))
      receiving++
      request.once('close', () => receiving--)
    },
  }
}
