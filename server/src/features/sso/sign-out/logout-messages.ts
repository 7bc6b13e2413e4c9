import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { PostForm } from '../../../platform/http/post-form-page.js'
import {
  type BoundMessage,
  buildLogoutRequest,
  type LogoutRequest,
  logoutResponseFor,
  newId,
  redirectUrl,
  STATUS_CODES,
} from '../../../protocols/saml/index.js'
import { readSettings } from '../../settings/index.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { spEntityId } from '../model/saml-urls.js'
import type { NamedSession } from './saml-sessions.js'

/** The response to a browser: a redirect, or a form that it posts. */
export type BrowserResponse = { redirectTo: string } | { form: PostForm }

export type MessageDeps = Pick<SsoDeps, 'db' | 'clock' | 'config' | 'samlKeys'>

interface Received {
  binding: BoundMessage['binding']
  request: LogoutRequest
  origin: RequestOrigin
}

/**
 * Builds the signed LogoutResponse, for the binding of the request. If the provider has no single logout URL, redirects to the signed-out
 * page.
 */
export async function respondToLogout(
  deps: MessageDeps,
  { name, organizationId: teamId, samlSloUrl: target }: Provider,
  { binding, request, origin }: Received,
): Promise<BrowserResponse> {
  const { db, clock, config, samlKeys } = deps
  const keys = await samlKeys.of({ teamId, applicationId: null }, origin)
  if (!target || !keys) return { redirectTo: `${config.frontendUrl}/logged-out` }
  const options = {
    id: newId(),
    issuer: spEntityId(config.baseUrl, teamId),
    destination: target,
    now: clock.ms(),
    inResponseTo: request.id,
    status: STATUS_CODES.success,
  }
  const response = await logoutResponseFor(options, { binding, relayState: request.relayState }, keys.signing)
  if ('redirectTo' in response) return response
  const { name: instance } = await db.transaction((tx) => readSettings(tx))
  return { form: { action: target, fields: response.fields, heading: `Back to ${name}`, instance } }
}

/** Builds the redirect with a signed LogoutRequest; undefined if the provider has no sign-out URL. */
export async function logoutRequestUrl(
  { clock, config, samlKeys }: MessageDeps,
  id: string,
  { provider, name, sessionIndex }: NamedSession,
  origin: RequestOrigin,
): Promise<string | undefined> {
  const { organizationId: teamId, samlSloUrl: target } = provider
  const keys = await samlKeys.of({ teamId, applicationId: null }, origin)
  if (!target || !keys) return undefined
  const xml = await buildLogoutRequest({
    id,
    issuer: spEntityId(config.baseUrl, teamId),
    destination: target,
    now: clock.ms(),
    nameId: name,
    sessionIndexes: sessionIndex === null ? [] : [sessionIndex],
  })
  return redirectUrl({ target, parameter: 'SAMLRequest', xml, privateKey: keys.signing.privateKey })
}
