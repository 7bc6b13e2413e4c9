import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { PostForm } from '../../../platform/http/post-form-page.js'
import type { SessionId } from '../../../platform/ids.js'
import {
  buildLogoutRequest,
  logoutResponseFor,
  NAME_ID_FORMATS,
  newId,
  redirectUrl,
  STATUS_CODES,
} from '../../../protocols/saml/index.js'
import type { SamlKeys } from '../../saml-keys/index.js'
import { readSettings } from '../../settings/index.js'
import { providerLogoutUrl } from '../../sso/index.js'
import type { SamlProviderDeps } from '../model/deps.js'
import { addressesOf, findExistingServiceProvider, type ServiceProvider } from '../model/service-provider.js'
import {
  type Continuation,
  type NotifiedApplication,
  type RequestedLogout,
  type StoredLogout,
  storeLogout,
} from './stored-logout.js'

/** The response to the browser: a redirect, or a form that it posts. */
export type BrowserResponse = { redirectTo: string } | { form: PostForm }

type Addressed = ServiceProvider & { sloUrl: string }

/** The next message for the browser. It is chosen inside a transaction and signed after it, because signing is slow. */
export type NextMessage =
  | { page: string }
  | { opened: SessionId; after: { registered: string; ifPartial: string } }
  | { request: NotifiedApplication; id: string; relayState: string; to: Addressed; keys: SamlKeys }
  | { requested: RequestedLogout; status: Status; instance: string; to: Addressed; keys: SamlKeys }

interface Status {
  status: string
  reason?: string
}

/**
 * Returns the message to the next application of a sign-out; after the last one, to the provider that started the session, and then the
 * response to the application that requested the sign-out, or the redirect of one that started here. An application that cannot be
 * notified is skipped and makes the logout partial. Runs in the caller's transaction.
 */
export async function nextMessage(
  tx: Transaction,
  deps: SamlProviderDeps,
  requester: ServiceProvider | null,
  logout: StoredLogout,
): Promise<NextMessage> {
  const { left } = logout
  let { partial } = logout
  for (const [index, next] of left.entries()) {
    const found = await findExistingServiceProvider(tx, next.application)
    const addressed = found && (await addressOf(tx, deps, found))
    if (addressed) {
      const id = newId()
      const waiting = { application: next.application, requestId: id }
      const stored = { ...logout, asking: requester?.id ?? null, partial, waiting, left: left.slice(index + 1) }
      return { request: next, id, relayState: await storeLogout(tx, deps.clock, null, stored), ...addressed }
    }
    partial = true
  }
  if ('goesOn' in logout) return { page: partial ? (logout.ifPartial ?? logout.goesOn) : logout.goesOn }
  if (logout.opened) return toProvider(tx, deps, requester, logout.opened, { ...logout, partial })
  const status = statusOf(partial)
  return requester ? logoutResponse(tx, deps, requester, logout, status) : { page: ownPage(deps, status) }
}

const statusOf = (partial: boolean): Status => ({
  status: STATUS_CODES.success,
  ...(partial && { reason: STATUS_CODES.partialLogout }),
})

/** Sends the browser to the provider; after its return, the requesting application gets its response. Runs in the caller's transaction. */
async function toProvider(
  tx: Transaction,
  deps: SamlProviderDeps,
  requester: ServiceProvider | null,
  opened: SessionId,
  logout: Exclude<StoredLogout, Continuation>,
): Promise<NextMessage> {
  if (!requester) {
    const pageOf = (partial: boolean) => ownPage(deps, statusOf(partial))
    return { opened, after: { registered: pageOf(logout.partial), ifPartial: pageOf(true) } }
  }
  const stored: StoredLogout = { ...logout, waiting: null, left: [], opened: undefined, atProvider: true }
  const resume = await storeLogout(tx, deps.clock, requester.id, stored)
  const back = (more: object) =>
    `${addressesOf(deps.config.baseUrl, requester.id).sloUrl}?${new URLSearchParams({ resume, ...more })}`
  return { opened, after: { registered: back({}), ifPartial: back({ partial: 'true' }) } }
}

/** Returns the sign-out URL and the keys of the application; undefined if it has none. */
async function addressOf(
  tx: Transaction,
  { samlKeys }: Pick<SamlProviderDeps, 'samlKeys'>,
  sp: ServiceProvider,
): Promise<{ to: Addressed; keys: SamlKeys } | undefined> {
  const { sloUrl } = sp
  const keys = await samlKeys.read(tx, { teamId: sp.teamId, applicationId: sp.id })
  return sloUrl && keys ? { to: { ...sp, sloUrl }, keys } : undefined
}

/** Returns the response to the requesting application; without a sign-out URL, the signed-out page. Runs in the caller's transaction. */
export async function logoutResponse(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  requested: RequestedLogout,
  status: Status,
): Promise<NextMessage> {
  const addressed = await addressOf(tx, deps, sp)
  if (!addressed) return { page: ownPage(deps, status) }
  return { requested, status, instance: (await readSettings(tx)).name, ...addressed }
}

/** The signed-out page, which shows a partial logout. */
function ownPage({ config }: Pick<SamlProviderDeps, 'config'>, { reason }: Status): string {
  const page = `${config.frontendUrl}/logged-out`
  if (reason !== STATUS_CODES.partialLogout) return page
  return `${page}?${new URLSearchParams({ error: 'saml_logout_incomplete' })}`
}

/** Signs the next message for the browser. Call it outside of any transaction. */
export async function writeMessage(
  deps: SamlProviderDeps,
  next: NextMessage,
  origin: RequestOrigin,
): Promise<BrowserResponse> {
  if ('page' in next) return { redirectTo: next.page }
  if ('opened' in next) {
    const { opened, after } = next
    return { redirectTo: (await providerLogoutUrl(deps, opened, after, origin)) ?? after.registered }
  }
  return 'request' in next ? writeRequest(deps, next) : writeResponse(deps, next)
}

async function writeRequest(
  { clock, config }: SamlProviderDeps,
  { request, id, relayState, to, keys }: Extract<NextMessage, { request: unknown }>,
): Promise<BrowserResponse> {
  const { nameId: value, nameIdFormat: format, sessionIndex } = request
  const { entityId } = addressesOf(config.baseUrl, to.id)
  const between = format === NAME_ID_FORMATS.persistent || format === NAME_ID_FORMATS.transient
  const xml = await buildLogoutRequest({
    id,
    issuer: entityId,
    destination: to.sloUrl,
    now: clock.ms(),
    nameId: { value, format, ...(between && { nameQualifier: entityId, spNameQualifier: to.entityId }) },
    sessionIndexes: [sessionIndex],
  })
  const { privateKey } = keys.signing
  return { redirectTo: await redirectUrl({ target: to.sloUrl, parameter: 'SAMLRequest', xml, relayState, privateKey }) }
}

/** Uses the binding of the request. */
async function writeResponse(
  { clock, config }: SamlProviderDeps,
  { requested, status, instance, to, keys }: Extract<NextMessage, { requested: unknown }>,
): Promise<BrowserResponse> {
  const options = {
    id: newId(),
    issuer: addressesOf(config.baseUrl, to.id).entityId,
    destination: to.sloUrl,
    now: clock.ms(),
    inResponseTo: requested.requestId,
    ...status,
  }
  const { binding, relayState } = requested
  const response = await logoutResponseFor(options, { binding, relayState: relayState ?? undefined }, keys.signing)
  if ('redirectTo' in response) return response
  return { form: { action: to.sloUrl, fields: response.fields, heading: `Signing out of ${to.name}`, instance } }
}
