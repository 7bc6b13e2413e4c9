import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { PostForm } from '../../../platform/http/post-form-page.js'
import {
  type BoundMessage,
  type BrowserMessage,
  logoutRequestFor,
  logoutResponseFor,
  newId,
  STATUS_CODES,
} from '../../../protocols/saml/index.js'
import { readSettings } from '../../settings/index.js'
import type { SsoDeps } from '../model/deps.js'
import { logoutServicesOf, type Provider } from '../model/provider.js'
import { spEntityId } from '../model/saml-urls.js'
import type { NamedSession } from './saml-sessions.js'

/** The response to a browser: a redirect, or a form that it posts. */
export type BrowserResponse = { redirectTo: string } | { form: PostForm }

export type MessageDeps = Pick<SsoDeps, 'db' | 'clock' | 'config' | 'samlKeys'>

/** A LogoutRequest of a provider, as far as its response depends on it. */
export interface Answerable {
  binding: BoundMessage['binding']
  requestId: string
  relayState: string | undefined
}

/** Returns the signed-out page. @param error the error code to show */
export function signedOutPage(frontendUrl: string, error?: string): string {
  const page = `${frontendUrl}/logged-out`
  return error === undefined ? page : `${page}?${new URLSearchParams({ error })}`
}

/**
 * Builds the signed LogoutResponse, for the binding of the request if the provider has a URL for it. If the provider has no single logout
 * URL, redirects to the signed-out page.
 * @param partial true if an application did not sign out (Core 3.7.3.2)
 */
export async function respondToLogout(
  deps: MessageDeps,
  provider: Provider,
  { binding, requestId, relayState }: Answerable,
  partial: boolean,
  origin: RequestOrigin,
): Promise<BrowserResponse> {
  const { clock, config, samlKeys } = deps
  const { organizationId: teamId } = provider
  const services = logoutServicesOf(provider)
  const keys = services && (await samlKeys.of({ teamId, applicationId: null }, origin))
  if (!keys) return { redirectTo: signedOutPage(config.frontendUrl, partial ? 'saml_logout_incomplete' : undefined) }
  const options = {
    id: newId(),
    issuer: spEntityId(config.baseUrl, teamId),
    now: clock.ms(),
    inResponseTo: requestId,
    status: STATUS_CODES.success,
    ...(partial && { reason: STATUS_CODES.partialLogout }),
  }
  const message = await logoutResponseFor(options, services, { binding, relayState }, keys.signing)
  return toBrowserResponse(deps, message, `Back to ${provider.name}`)
}

/** Builds the signed LogoutRequest for the preferred binding of the provider; undefined if it has no single logout URL. */
export async function logoutRequest(
  { clock, config, samlKeys }: MessageDeps,
  id: string,
  { provider, name, sessionIndex }: NamedSession,
  origin: RequestOrigin,
): Promise<BrowserMessage | undefined> {
  const { organizationId: teamId } = provider
  const services = logoutServicesOf(provider)
  const keys = services && (await samlKeys.of({ teamId, applicationId: null }, origin))
  if (!keys) return undefined
  const options = {
    id,
    issuer: spEntityId(config.baseUrl, teamId),
    now: clock.ms(),
    nameId: name,
    sessionIndexes: sessionIndex === null ? [] : [sessionIndex],
  }
  return logoutRequestFor(options, services, undefined, keys.signing)
}

/** Returns the response that sends a message to the provider: a redirect, or a form. @param heading of the page with the form */
export async function toBrowserResponse(
  { db }: Pick<MessageDeps, 'db'>,
  message: BrowserMessage,
  heading: string,
): Promise<BrowserResponse> {
  if ('redirectTo' in message) return message
  const { name: instance } = await db.transaction((tx) => readSettings(tx))
  return { form: { ...message, heading, instance } }
}
