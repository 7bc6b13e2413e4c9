import Type from 'typebox'
import type { RequestOrigin, SessionActor } from '../../../platform/http/actor.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import type { SentRequest } from '../../../platform/http/route.js'
import { rejectForBrowser } from '../../oidc-provider/index.js'
import { rejection } from '../errors.js'
import type { SamlProviderDeps } from './deps.js'

export const tag = 'SAML identity provider'
export const ofApplication = Type.Object({ appId: Type.String() })
export const Page = Type.String({ description: 'HTML: a form that posts the response to the service provider' })

export const Message = Type.Optional(Type.String({ description: 'Base64; deflated in the redirect binding' }))
export const RelayState = Type.Optional(Type.String({ description: 'Returned unchanged; at most 2,048 bytes' }))
export const signature = {
  SigAlg: Type.Optional(Type.String()),
  Signature: Type.Optional(
    Type.String({ description: 'Signature of the query, required if the application has a certificate' }),
  ),
}

export interface Context {
  params: { appId: string }
  http: HttpExchange
  sent: SentRequest
  origin: RequestOrigin
  signedIn(): Promise<SessionActor | undefined>
}

/** Returns the fields of a form, each of which must occur once: another parser might read the other value. @throws saml_request_invalid */
export function fieldsOf({ body }: SentRequest): Record<string, string | undefined> {
  const fields = new URLSearchParams(body)
  if (new Set(fields.keys()).size < [...fields].length)
    throw rejection('saml_request_invalid', { detail: 'A form field occurs twice' })
  return Object.fromEntries(fields)
}

/** Runs the handler. An error is a page for a browser, and a problem document for other clients. */
export async function forBrowser(
  { config }: Pick<SamlProviderDeps, 'config'>,
  act: 'sign-in' | 'sign-out',
  { http, origin }: Context,
  run: () => Promise<unknown>,
) {
  try {
    return await run()
  } catch (error) {
    const browser = { act, http, frontendUrl: config.frontendUrl, requestId: origin.requestId }
    return rejectForBrowser(browser, error, new URLSearchParams())
  }
}
