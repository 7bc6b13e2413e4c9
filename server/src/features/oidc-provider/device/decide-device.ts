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

// Several browsers may have a pending decision for one device code. Only the first decision is accepted.
const markDecided = namedQuery<{ expires_at: Date }, [Buffer, Date]>(
  'oidc_provider.claim_device_decision',
  'UPDATE device_codes SET answered_at = $2 WHERE hash = $1 AND answered_at IS NULL AND expires_at > $2 RETURNING expires_at',
)
const storeDeviceGrant = namedQuery<never, [Buffer, GrantId]>(
  'oidc_provider.store_device_grant',
  'UPDATE device_codes SET grant_id = $2 WHERE hash = $1',
)
const deleteInteraction = namedQuery<never, [Buffer]>(
  'oidc_provider.delete_device_interaction',
  'DELETE FROM interactions WHERE hash = $1',
)

/** Returns the URL of the result page in the user's browser. The device receives the result with its next poll. */
const resultUrl = ({ config }: OidcProviderDeps, result: 'approved' | 'denied'): string =>
  `${config.frontendUrl}/device?${new URLSearchParams({ result })}`

/** Denies the authorization request of a device (RFC 8628). Runs in the caller's transaction. @throws interaction_not_found if the user has already decided */
export async function denyDevice(
  tx: Transaction,
  deps: OidcProviderDeps,
  { uid }: Pick<Interaction, 'uid'>,
  { hash }: RequestingDevice,
): Promise<{ redirectTo: string }> {
  await claimDecision(tx, deps, uid, hash)
  return { redirectTo: resultUrl(deps, 'denied') }
}

interface DeviceApproval {
  client: Client
  session: EngineSession
  interaction: Interaction
  device: RequestingDevice
  scopes: string[]
}

/**
 * Approves the authorization request of a device (RFC 8628): its device code can be exchanged for tokens until it expires. Runs in the caller's transaction.
 * @throws interaction_outdated; interaction_not_found if the user has already decided
 */
export async function approveDevice(
  tx: Transaction,
  deps: OidcProviderDeps,
  { client, session, interaction, device, scopes }: DeviceApproval,
): Promise<{ redirectTo: string; grantId: GrantId }> {
  const { clock } = deps
  if (!client.grantTypes.includes(DEVICE_GRANT) || scopes.length === 0) throw rejection('interaction_outdated')
  const expiresAt = await claimDecision(tx, deps, interaction.uid, device.hash)
  const grantId = uuidv7<GrantId>(clock)
  const { params } = interaction.payload
  const claims = params.claims ? (JSON.parse(params.claims) as Record<string, unknown>) : undefined
  const isCreated = await createGrant(tx, clock, {
    id: grantId,
    client,
    session,
    issuer: interaction.issuer,
    scopes,
    code: {
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
  if (!isCreated) throw rejection('interaction_outdated')
  await tx.run(storeDeviceGrant, [device.hash, grantId])
  return { redirectTo: resultUrl(deps, 'approved'), grantId }
}

/**
 * Marks the device code as decided, so that of several concurrent decisions only one succeeds. Returns the expiry of the device code.
 * @throws interaction_not_found if the user has already decided or the code has expired
 */
async function claimDecision(
  tx: Transaction,
  { clock }: OidcProviderDeps,
  uid: string,
  deviceCodeHash: Buffer,
): Promise<Date> {
  const [claimed] = await tx.run(markDecided, [deviceCodeHash, clock.now()])
  if (!claimed) throw rejection('interaction_not_found')
  await tx.run(deleteInteraction, [tokenHash(uid)])
  return claimed.expires_at
}
