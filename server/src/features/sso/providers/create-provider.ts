import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { SsoProviderId } from '../../../platform/ids.js'
import { requireActiveActor } from '../../access-tokens/index.js'
import type { SsoDeps } from '../model/deps.js'
import {
  contextOfSecret,
  newSettings,
  type Provider,
  type ProviderSettings,
  type WantedSettings,
} from '../model/provider.js'
import { providerRepository } from '../model/repository.js'
import { noteSaved } from '../saml-metadata/due.js'
import { metadataFor } from '../saml-metadata/required-metadata.js'
import { trustsEmailAtFirst } from './presets.js'
import { reservationRejected, reservedId } from './reservation.js'
import { resolveSettings } from './resolve-settings.js'

export type NewProvider = WantedSettings &
  Pick<ProviderSettings, 'name' | 'type' | 'protocol'> & {
    /** from `reserveProvider` */
    reservation?: string
  }

/**
 * Creates a provider of the team. It acts with the permissions that its creator has now. Required metadata is fetched before the
 * transaction.
 * @throws invalid_request, limit_reached, sso_metadata_unreachable, sso_metadata_invalid
 */
export async function createProvider(
  deps: SsoDeps,
  actor: Actor,
  { reservation, ...wanted }: NewProvider,
): Promise<Provider> {
  const { db, clock, audit, envelope, config } = deps
  const blank = newSettings(wanted)
  const metadata = await metadataFor(deps, actor.teamId, blank, wanted)
  const settings = resolveSettings(blank, wanted, { httpAllowed: !config.secure, hasSecret: false, metadata })
  const id = reservation ? reservedId(deps, actor.teamId, reservation) : uuidv7<SsoProviderId>(clock)
  const secret = wanted.oidcClientSecret
  const now = clock.now()
  return db.transaction(async (tx) => {
    const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
    const provider = await providerRepository(tx, actor.teamId).insert({
      ...settings,
      ...noteSaved(clock, settings.samlMetadataUrl, metadata),
      trustsEmail: wanted.trustsEmail ?? trustsEmailAtFirst(settings),
      id,
      oidcClientSecret: secret ? envelope.seal(secret, contextOfSecret({ id })) : null,
      certificateWarning: null,
      version: 1,
      savedBy: actor.userId,
      temporarySetBy,
      savedPermissions: [...actor.permissions],
      createdAt: now,
      updatedAt: now,
    })
    if (!provider) throw reservationRejected()
    const { name, type, protocol } = provider
    await audit.record(tx, actor, 'sso_provider.created', {
      resource: `sso_provider:${id}`,
      metadata: { name, type, protocol },
    })
    return provider
  })
}
