import type { RequestOrigin } from '../../../platform/http/actor.js'
import {
  type BoundMessage,
  buildLogoutRequest,
  buildLogoutResponse,
  type LogoutRequest,
  newId,
  redirectUrl,
  STATUS_CODES,
} from '../../../protocols/saml/index.js'
import { readSettings } from '../../settings/index.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { spEntityId } from '../model/saml-addresses.js'
import type { NamedSession } from './saml-sessions.js'

/** The response to a browser: a redirect, or a form that it posts. */
export type LogoutAnswer =
  | { redirectTo: string }
  | { form: { action: string; fields: Record<string, string | undefined>; heading: string; instance: string } }

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
): Promise<LogoutAnswer> {
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
  const { relayState } = request
  if (binding === 'redirect') {
    const xml = await buildLogoutResponse(options)
    const { privateKey } = keys.signing
    return { redirectTo: await redirectUrl({ target, parameter: 'SAMLResponse', xml, relayState, privateKey }) }
  }
  const response = Buffer.from(await buildLogoutResponse(options, keys.signing)).toString('base64')
  const { name: instance } = await db.transaction((tx) => readSettings(tx))
  const fields = { SAMLResponse: response, RelayState: relayState }
  return { form: { action: target, fields, heading: `Back to ${name}`, instance } }
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
