import type { RequestOrigin } from '../../platform/http/actor.js'
import {
  type BoundMessage,
  buildLogoutRequest,
  buildLogoutResponse,
  type LogoutRequest,
  newId,
  redirectUrl,
  STATUS_CODES,
} from '../../protocols/saml/index.js'
import { readSettings } from '../settings/index.js'
import type { SsoDeps } from './deps.js'
import type { Provider } from './provider.js'
import { spEntityId } from './saml-addresses.js'
import type { NamedSession } from './saml-sessions.js'

/** Where a browser goes on to. */
export type LogoutAnswer =
  | { redirectTo: string }
  | { form: { action: string; fields: Record<string, string | undefined>; heading: string; instance: string } }

export type MessageDeps = Pick<SsoDeps, 'db' | 'clock' | 'config' | 'samlKeys'>

interface Heard {
  binding: BoundMessage['binding']
  request: LogoutRequest
  origin: RequestOrigin
}

/** Tells the provider that the sessions are over, signed, by the binding by which it asked; without an address for it, our own page. */
export async function answerLogout(
  deps: MessageDeps,
  { name, organizationId: teamId, samlSloUrl: target }: Provider,
  { binding, request, origin }: Heard,
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

/** Asks a provider to end its own session, signed, by the redirect binding; undefined where it has no address for it. */
export async function askForLogout(
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
