import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SentRequest } from '../../../platform/http/route.js'

/** What introspection and revocation are asked: a token, and what was sent of who asks. */
export interface CallerRequest {
  token: string
  clientId: string | undefined
  clientSecret: string | undefined
  clientAssertion: string | undefined
  clientAssertionType: string | undefined
  /** The path that was asked. */
  endpoint: string
  sent: SentRequest
  origin: RequestOrigin
}
