import { SECOND } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { GrantId } from '../../../platform/ids.js'
import type { Interaction, RequestingDevice } from '../authorize/find-interaction.js'
import { createGrant } from '../engine/create-grant.js'
import type { EngineSession } from '../engine/engine-context.js'
import type { Client } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { DEVICE_GRANT } from '../model/grant-types.js'

// A device code may have several pending requests. The first decision wins.
const claimDecision = namedQuery<{ expires_at: Date }, [Buffer, Date]>(
  'oidc_provider.answer_device',
  'UPDATE device_codes SET answered_at = $2 WHERE hash = $1 AND answered_at IS NULL AND expires_at > $2 RETURNING expires_at',
)
const storeDeviceGrant = namedQuery<never, [Buffer, GrantId]>(
  'oidc_provider.grant_to_device',
  'UPDATE device_codes SET grant_id = $2 WHERE hash = $1',
)
const deleteInteraction = namedQuery<never, [Buffer]>(
  'oidc_provider.delete_device_interaction',
  'DELETE FROM interactions WHERE hash = $1',
)

/** Returns the page that the user's browser shows next. The device receives the result at its next poll. */
const resultPage = ({ config }: OidcProviderDeps, result: 'approved' | 'denied'): string =>
  `${config.frontendUrl}/device?${new URLSearchParams({ result })}`

/** Denies the device. Runs in the caller's transaction. @throws interaction_not_found if it was decided in the meantime */
export async function denyDevice(
  tx: Transaction,
  deps: OidcProviderDeps,
  { uid }: Pick<Interaction, 'uid'>,
  { hash }: RequestingDevice,
): Promise<{ redirectTo: string }> {
  await claim(tx, deps, uid, hash)
  return { redirectTo: resultPage(deps, 'denied') }
}

interface DeviceApproval {
  client: Client
  session: EngineSession
  interaction: Interaction
  device: RequestingDevice
  scopes: string[]
}

/**
 * Approves the device: its code can be exchanged for tokens until it expires. Runs in the caller's transaction.
 * @throws interaction_outdated; interaction_not_found if it was decided in the meantime
 */
export async function approveDevice(
  tx: Transaction,
  deps: OidcProviderDeps,
  { client, session, interaction, device, scopes }: DeviceApproval,
): Promise<{ redirectTo: string; grantId: GrantId }> {
  const { clock } = deps
  if (!client.grantTypes.includes(DEVICE_GRANT) || scopes.length === 0) throw rejection('interaction_outdated')
  const expiresAt = await claim(tx, deps, interaction.uid, device.hash)
  const grantId = uuidv7<GrantId>(clock)
  const { params } = interaction.payload
  const claims = params.claims ? (JSON.parse(params.claims) as Record<string, unknown>) : undefined
  const given = await createGrant(tx, clock, {
    id: grantId,
    client,
    session,
    issuer: interaction.issuer,
    scopes,
    by: {
      kind: 'DeviceCode',
      hash: device.hash,
      lifetime: (expiresAt.getTime() - clock.ms()) / SECOND,
      payload: {
        ...device.payload,
        accountId: session.userId,
        amr: session.amr,
        authTime: Math.floor(session.authenticatedAt.getTime() / SECOND),
        grantId,
        scope: scopes.join(' '),
        sessionUid: session.id,
        sid: session.id,
        ...(params.resource && { resource: params.resource }),
        ...(claims && { claims }),
      },
    },
  })
  if (!given) throw rejection('interaction_outdated')
  await tx.run(storeDeviceGrant, [device.hash, grantId])
  return { redirectTo: resultPage(deps, 'approved'), grantId }
}

/** Claims the decision before a grant is created. Returns the expiry of the device code. @throws interaction_not_found */
async function claim(tx: Transaction, { clock }: OidcProviderDeps, uid: string, device: Buffer): Promise<Date> {
  const [claimed] = await tx.run(claimDecision, [device, clock.now()])
  if (!claimed) throw rejection('interaction_not_found')
  await tx.run(deleteInteraction, [tokenHash(uid)])
  return claimed.expires_at
}
