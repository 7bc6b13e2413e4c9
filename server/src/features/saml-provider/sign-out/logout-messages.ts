import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { PostForm } from '../../../platform/http/post-form-page.js'
import type { ApplicationId, SessionId } from '../../../platform/ids.js'
import {
  type BrowserMessage,
  type LogoutServices,
  logoutRequestFor,
  logoutResponseFor,
  NAME_ID_FORMATS,
  newId,
  STATUS_CODES,
} from '../../../protocols/saml/index.js'
import type { SamlKeys } from '../../saml-keys/index.js'
import { readSettings } from '../../settings/index.js'
import { providerLogoutUrl } from '../../sso/index.js'
import type { SamlProviderDeps } from '../model/deps.js'
import {
  addressesOf,
  findExistingServiceProvider,
  logoutServicesOf,
  type ServiceProvider,
} from '../model/service-provider.js'
import {
  type Continuation,
  type NotifiedApplication,
  type RequestedLogout,
  type StoredLogout,
  storeLogout,
} from './stored-logout.js'

/** The response to the browser: a redirect, or a form that it posts. */
export type BrowserResponse = { redirectTo: string } | { form: PostForm }

/** An application that can receive a message. */
interface Addressed {
  to: ServiceProvider & { services: LogoutServices }
  keys: SamlKeys
  /** The name of the instance, for the page of the POST binding. */
  instance: string
}

/** The next message for the browser. It is chosen inside a transaction and signed after it, because signing is slow. */
export type NextMessage =
  | { page: string }
  | { opened: SessionId; after: { registered: string; ifPartial: string } }
  | (Addressed & { request: NotifiedApplication; id: string; relayState: string })
  | (Addressed & { requested: RequestedLogout; status: Status })

interface Status {
  status: string
  reason?: string
}

/**
 * Returns the message to the next application of a sign-out; after the last one, to the provider that started the session, and then the
 * response to the application that requested the sign-out, or the redirect of one that started here. An application that cannot be
 * notified is skipped and makes the logout partial. Runs in the caller's transaction.
 * @param rules.asUrl the caller can only redirect the browser: a form becomes the URL of a page with it
 */
export async function nextMessage(
  tx: Transaction,
  deps: SamlProviderDeps,
  requester: ServiceProvider | null,
  logout: StoredLogout,
  { asUrl = false } = {},
): Promise<NextMessage> {
  const { left } = logout
  let { partial } = logout
  for (const [index, next] of left.entries()) {
    const found = await findExistingServiceProvider(tx, next.application)
    const addressed = found && (await addressOf(tx, deps, found))
    if (addressed && asUrl && addressed.to.services[0].binding === 'post') {
      const started: StoredLogout = { ...logout, partial, waiting: null, left: left.slice(index), atStart: true }
      return { page: resumeUrl(deps, next.application, await storeLogout(tx, deps.clock, next.application, started)) }
    }
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
  const back = (more: Record<string, string>) => resumeUrl(deps, requester.id, resume, more)
  return { opened, after: { registered: back({}), ifPartial: back({ partial: 'true' }) } }
}

/** Returns the URL that continues a stored sign-out of an application. */
export const resumeUrl = (
  { config }: Pick<SamlProviderDeps, 'config'>,
  application: ApplicationId,
  resume: string,
  more: Record<string, string> = {},
): string => `${addressesOf(config.baseUrl, application).sloUrl}?${new URLSearchParams({ resume, ...more })}`

/** Returns the sign-out URLs and the keys of the application; undefined if it has none. */
async function addressOf(
  tx: Transaction,
  { samlKeys }: Pick<SamlProviderDeps, 'samlKeys'>,
  sp: ServiceProvider,
): Promise<Addressed | undefined> {
  const services = logoutServicesOf(sp)
  const keys = services && (await samlKeys.read(tx, { teamId: sp.teamId, applicationId: sp.id }))
  return keys && { to: { ...sp, services }, keys, instance: (await readSettings(tx)).name }
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
  return { requested, status, ...addressed }
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
  const message = await ('request' in next ? writeRequest(deps, next) : writeResponse(deps, next))
  if ('redirectTo' in message) return message
  return { form: { ...message, heading: `Signing out of ${next.to.name}`, instance: next.instance } }
}

function writeRequest(
  { clock, config }: SamlProviderDeps,
  { request, id, relayState, to, keys }: Extract<NextMessage, { request: unknown }>,
): Promise<BrowserMessage> {
  const { nameId: value, nameIdFormat: format, sessionIndex } = request
  const { entityId } = addressesOf(config.baseUrl, to.id)
  const between = format === NAME_ID_FORMATS.persistent || format === NAME_ID_FORMATS.transient
  const options = {
    id,
    issuer: entityId,
    now: clock.ms(),
    nameId: { value, format, ...(between && { nameQualifier: entityId, spNameQualifier: to.entityId }) },
    sessionIndexes: [sessionIndex],
  }
  return logoutRequestFor(options, to.services, relayState, keys.signing)
}

function writeResponse(
  { clock, config }: SamlProviderDeps,
  { requested, status, to, keys }: Extract<NextMessage, { requested: unknown }>,
): Promise<BrowserMessage> {
  const options = {
    id: newId(),
    issuer: addressesOf(config.baseUrl, to.id).entityId,
    now: clock.ms(),
    inResponseTo: requested.requestId,
    ...status,
  }
  const { binding, relayState } = requested
  return logoutResponseFor(options, to.services, { binding, relayState: relayState ?? undefined }, keys.signing)
}
