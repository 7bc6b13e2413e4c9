import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SentRequest } from '../../../platform/http/route.js'
import { type CompactJwt, readCompactJwt } from '../../../protocols/jws/index.js'
import { oauthError } from '../../../protocols/oauth/index.js'
import { basicCredentials } from '../clients/basic-credentials.js'
import { ASSERTION_TYPE } from '../clients/client-assertion.js'

/** A request for introspection or revocation. */
export interface CallerRequest {
  token: string
  clientId: string | undefined
  clientSecret: string | undefined
  clientAssertion: string | undefined
  clientAssertionType: string | undefined
  /** Path of the endpoint. */
  endpoint: string
  sent: SentRequest
  origin: RequestOrigin
}

/** The client ID that a caller sent, and its proof. */
export interface CallerCredentials {
  clientId: string | undefined
  /** `assertion` is undefined if it is not a JWT. */
  proof: { secret: string } | { assertion: CompactJwt | undefined }
  byHeader: boolean
}

/**
 * Returns the credentials in the header or the body; undefined without credentials.
 * @throws invalid_client, invalid_request
 */
export function readCallerCredentials(question: CallerRequest): CallerCredentials | undefined {
  const { clientId, clientSecret, clientAssertion, clientAssertionType, sent } = question
  const authorization = sent.header('authorization')
  const basic = basicCredentials(authorization)
  if (!basic && /^basic\b/i.test(authorization ?? '')) throw unauthenticated(true)
  if ([basic, clientSecret, clientAssertion].filter((one) => one !== undefined).length > 1)
    throw reject('client authentication must only be provided using one mechanism')
  if (clientAssertion !== undefined || clientAssertionType !== undefined)
    return assertionOf(clientAssertion, clientAssertionType, clientId)
  const secret = basic?.secret ?? clientSecret
  if (secret === undefined) return undefined
  return { clientId: basic?.clientId ?? clientId, proof: { secret }, byHeader: basic !== undefined }
}

/** Reads a client assertion (RFC 7521 4.2). Both parameters are required; `client_id` is optional and must equal the subject. */
function assertionOf(
  text: string | undefined,
  type: string | undefined,
  clientId: string | undefined,
): CallerCredentials {
  if (text === undefined) throw reject('client_assertion must be provided')
  if (type !== ASSERTION_TYPE) throw reject(`client_assertion_type must have value ${ASSERTION_TYPE}`)
  const assertion = readCompactJwt(text)
  const subject = assertion?.claims.sub
  if (typeof subject !== 'string') return { clientId, proof: { assertion: undefined }, byHeader: false }
  if (clientId !== undefined && clientId !== subject) throw reject('client_id mismatch')
  return { clientId: subject, proof: { assertion }, byHeader: false }
}

const reject = (detail: string) => oauthError('invalid_request', { detail })

export const unauthenticated = (byHeader: boolean) =>
  oauthError('invalid_client', {
    detail: 'client authentication failed',
    headers: byHeader ? { 'www-authenticate': 'Basic realm="keyward", error="invalid_client"' } : {},
  })
