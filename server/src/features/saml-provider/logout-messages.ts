import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SessionId } from '../../platform/ids.js'
import {
  buildLogoutRequest,
  buildLogoutResponse,
  NAME_ID_FORMATS,
  newId,
  redirectUrl,
  STATUS_CODES,
} from '../../protocols/saml/index.js'
import type { SamlKeys } from '../saml-keys/index.js'
import { readSettings } from '../settings/index.js'
import { askProvider } from '../sso/index.js'
import { addressesOf } from './addresses.js'
import type { SamlProviderDeps } from './deps.js'
import { findLiving, type ServiceProvider } from './service-provider.js'
import {
  type AskedLogout,
  type GoesOn,
  keepLogout,
  type NotifiedApplication,
  type StoredLogout,
} from './stored-logout.js'

/** Where the browser goes with a message. */
export type LogoutAnswer =
  | { redirectTo: string }
  | { form: { action: string; response: string; relayState: string | undefined }; name: string; instance: string }

type Addressed = ServiceProvider & { sloUrl: string }

/** What the browser carries next. It is decided inside a transaction, and signed behind it: signing is slow. */
export type NextMessage =
  | { page: string }
  | { opened: SessionId; after: { registered: string; ifPartial: string } }
  | { request: NotifiedApplication; id: string; relayState: string; to: Addressed; keys: SamlKeys }
  | { asked: AskedLogout; status: Status; instance: string; to: Addressed; keys: SamlKeys }

interface Status {
  status: string
  reason?: string
}

/**
 * A step: on to the next application that is to hear of the sign-out; behind the last one to the provider that opened the session, and then
 * back to the one that asked, or on from here. One that cannot be told is passed over, and the answer says that not all is over.
 */
export async function goOn(
  tx: Transaction,
  deps: SamlProviderDeps,
  asking: ServiceProvider | null,
  logout: StoredLogout,
): Promise<NextMessage> {
  const { left } = logout
  let { partial } = logout
  for (const [index, next] of left.entries()) {
    const found = await findLiving(tx, next.application)
    const reached = found && (await reach(tx, deps, found))
    if (reached) {
      const id = newId()
      const waiting = { application: next.application, requestId: id }
      const stored = { ...logout, asking: asking?.id ?? null, partial, waiting, left: left.slice(index + 1) }
      return { request: next, id, relayState: await keepLogout(tx, deps.clock, null, stored), ...reached }
    }
    partial = true
  }
  if ('goesOn' in logout) return { page: partial ? (logout.ifPartial ?? logout.goesOn) : logout.goesOn }
  if (logout.opened) return toProvider(tx, deps, asking, logout.opened, { ...logout, partial })
  const status = statusOf(partial)
  return asking ? sayEnded(tx, deps, asking, logout, status) : { page: ownPage(deps, status) }
}

const statusOf = (partial: boolean): Status => ({
  status: STATUS_CODES.success,
  ...(partial && { reason: STATUS_CODES.partialLogout }),
})

/** A step: the browser comes back from the provider to us, and then the one that asked is answered. */
async function toProvider(
  tx: Transaction,
  deps: SamlProviderDeps,
  asking: ServiceProvider | null,
  opened: SessionId,
  logout: Exclude<StoredLogout, GoesOn>,
): Promise<NextMessage> {
  if (!asking) {
    const pageOf = (partial: boolean) => ownPage(deps, statusOf(partial))
    return { opened, after: { registered: pageOf(logout.partial), ifPartial: pageOf(true) } }
  }
  const stored: StoredLogout = { ...logout, waiting: null, left: [], opened: undefined, atProvider: true }
  const resume = await keepLogout(tx, deps.clock, asking.id, stored)
  const back = (more: object) =>
    `${addressesOf(deps.config.baseUrl, asking.id).sloUrl}?${new URLSearchParams({ resume, ...more })}`
  return { opened, after: { registered: back({}), ifPartial: back({ partial: 'true' }) } }
}

/** Undefined where the application has no address for it any more, or no key. */
async function reach(
  tx: Transaction,
  { samlKeys }: Pick<SamlProviderDeps, 'samlKeys'>,
  sp: ServiceProvider,
): Promise<{ to: Addressed; keys: SamlKeys } | undefined> {
  const { sloUrl } = sp
  const keys = await samlKeys.read(tx, { teamId: sp.teamId, applicationId: sp.id })
  return sloUrl && keys ? { to: { ...sp, sloUrl }, keys } : undefined
}

/** A step: the answer to the application that asked; without an address for it, our own page. */
export async function sayEnded(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  asked: AskedLogout,
  status: Status,
): Promise<NextMessage> {
  const reached = await reach(tx, deps, sp)
  if (!reached) return { page: ownPage(deps, status) }
  return { asked, status, instance: (await readSettings(tx)).name, ...reached }
}

/** Our own page; it says where somebody did not sign out. */
function ownPage({ config }: Pick<SamlProviderDeps, 'config'>, { reason }: Status): string {
  const page = `${config.frontendUrl}/logged-out`
  if (reason !== STATUS_CODES.partialLogout) return page
  return `${page}?${new URLSearchParams({ error: 'saml_logout_incomplete' })}`
}

/** Signs what the browser carries next; never inside a transaction. */
export async function writeMessage(
  deps: SamlProviderDeps,
  next: NextMessage,
  origin: RequestOrigin,
): Promise<LogoutAnswer> {
  if ('page' in next) return { redirectTo: next.page }
  if ('opened' in next) {
    const { opened, after } = next
    return { redirectTo: (await askProvider(deps, opened, after, origin)) ?? after.registered }
  }
  return 'request' in next ? writeRequest(deps, next) : writeAnswer(deps, next)
}

async function writeRequest(
  { clock, config }: SamlProviderDeps,
  { request, id, relayState, to, keys }: Extract<NextMessage, { request: unknown }>,
): Promise<LogoutAnswer> {
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

/** By the binding by which it was asked. */
async function writeAnswer(
  { clock, config }: SamlProviderDeps,
  { asked, status, instance, to, keys }: Extract<NextMessage, { asked: unknown }>,
): Promise<LogoutAnswer> {
  const options = {
    id: newId(),
    issuer: addressesOf(config.baseUrl, to.id).entityId,
    destination: to.sloUrl,
    now: clock.ms(),
    inResponseTo: asked.requestId,
    ...status,
  }
  const relayState = asked.relayState ?? undefined
  if (asked.binding === 'post') {
    const response = Buffer.from(await buildLogoutResponse(options, keys.signing)).toString('base64')
    return { form: { action: to.sloUrl, response, relayState }, name: to.name, instance }
  }
  return {
    redirectTo: await redirectUrl({
      target: to.sloUrl,
      parameter: 'SAMLResponse',
      xml: await buildLogoutResponse(options),
      relayState,
      privateKey: keys.signing.privateKey,
    }),
  }
}
