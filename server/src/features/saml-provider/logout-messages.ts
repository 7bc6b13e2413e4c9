import type { Transaction } from '../../platform/db/database.js'
import {
  buildLogoutRequest,
  buildLogoutResponse,
  NAME_ID_FORMATS,
  newId,
  redirectUrl,
  STATUS_CODES,
} from '../../protocols/saml/index.js'
import { readSettings } from '../settings/index.js'
import { addressesOf } from './addresses.js'
import type { SamlProviderDeps } from './deps.js'
import { type KeptLogout, keepLogout, type ToldApplication } from './kept-logout.js'
import { findServiceProvider, type ServiceProvider } from './service-provider.js'

/** Where the browser goes with a message. */
export type LogoutAnswer =
  | { redirectTo: string }
  | { form: { action: string; response: string; relayState: string | undefined }; name: string; instance: string }

/**
 * A step: on to the next application that is to hear of the sign-out; behind the last one back to the one that asked. One that cannot be
 * told is passed over, and the answer says that not all is over.
 */
export async function goOn(
  tx: Transaction,
  deps: SamlProviderDeps,
  asking: ServiceProvider,
  logout: KeptLogout,
): Promise<LogoutAnswer> {
  const { left } = logout
  let { partial } = logout
  for (const [index, next] of left.entries()) {
    const requestId = newId()
    const waiting = { application: next.application, requestId }
    const kept = { ...logout, partial, waiting, left: left.slice(index + 1) }
    const redirectTo = await askNext(tx, deps, next, requestId, () => keepLogout(tx, deps.clock, asking.id, kept))
    if (redirectTo) return { redirectTo }
    partial = true
  }
  return sayEnded(
    tx,
    deps,
    asking,
    logout,
    partial ? { status: STATUS_CODES.success, reason: STATUS_CODES.partialLogout } : { status: STATUS_CODES.success },
  )
}

/** Undefined where the application has no address for it any more, or no key. */
async function askNext(
  tx: Transaction,
  deps: SamlProviderDeps,
  { application, nameId, nameIdFormat, sessionIndex }: ToldApplication,
  id: string,
  keep: () => Promise<string>,
): Promise<string | undefined> {
  const sp = await findServiceProvider(tx, application).catch(() => undefined)
  const keys = sp && (await deps.samlKeys.read(tx, { teamId: sp.teamId, applicationId: sp.id }))
  if (!sp?.sloUrl || !keys) return undefined
  const { entityId } = addressesOf(deps.config.baseUrl, sp.id)
  const between = nameIdFormat === NAME_ID_FORMATS.persistent || nameIdFormat === NAME_ID_FORMATS.transient
  const xml = await buildLogoutRequest({
    id,
    issuer: entityId,
    destination: sp.sloUrl,
    now: deps.clock.ms(),
    nameId: {
      value: nameId,
      format: nameIdFormat,
      ...(between && { nameQualifier: entityId, spNameQualifier: sp.entityId }),
    },
    sessionIndexes: [sessionIndex],
  })
  return redirectUrl({
    target: sp.sloUrl,
    parameter: 'SAMLRequest',
    xml,
    relayState: await keep(),
    privateKey: keys.signing.privateKey,
  })
}

/** A step: the answer to the application that asked, by the binding by which it did; without an address for it, our own page. */
export async function sayEnded(
  tx: Transaction,
  { clock, config, samlKeys }: SamlProviderDeps,
  sp: ServiceProvider,
  { requestId, relayState, binding }: Pick<KeptLogout, 'requestId' | 'relayState' | 'binding'>,
  status: { status: string; reason?: string },
): Promise<LogoutAnswer> {
  const keys = await samlKeys.read(tx, { teamId: sp.teamId, applicationId: sp.id })
  if (!sp.sloUrl || !keys) return { redirectTo: `${config.frontendUrl}/logged-out` }
  const options = {
    id: newId(),
    issuer: addressesOf(config.baseUrl, sp.id).entityId,
    destination: sp.sloUrl,
    now: clock.ms(),
    inResponseTo: requestId,
    ...status,
  }
  if (binding === 'post') {
    const response = Buffer.from(await buildLogoutResponse(options, keys.signing)).toString('base64')
    return {
      form: { action: sp.sloUrl, response, relayState: relayState ?? undefined },
      name: sp.name,
      instance: (await readSettings(tx)).name,
    }
  }
  return {
    redirectTo: await redirectUrl({
      target: sp.sloUrl,
      parameter: 'SAMLResponse',
      xml: await buildLogoutResponse(options),
      relayState: relayState ?? undefined,
      privateKey: keys.signing.privateKey,
    }),
  }
}
