import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../platform/http/actor.js'
import { requireLiveActor } from '../credentials/index.js'
import type { ProviderDeps } from './deps.js'
import { refusal } from './errors.js'
import { contextOfSecret, type Provider, type ProviderSettings, settingsOf, type WantedSettings } from './provider.js'
import { providerRepository } from './repository.js'
import { settleProvider } from './settle-provider.js'

/** What says whose subjects they are: with another one the same subject is somebody else. */
const NAMES_ISSUER = ['protocol', 'oidcIssuer', 'samlEntityId'] as const

/**
 * Changes what is given and leaves the rest; from then on the provider acts by the rights of whoever changed it. Sign-ins that are
 * under way end with a refusal. With another issuer every identity that it knew is forgotten.
 * @throws sso_provider_not_found, invalid_request
 */
export function updateProvider(
  deps: ProviderDeps,
  actor: Actor,
  id: string,
  wanted: WantedSettings,
): Promise<Provider> {
  const { db, clock, audit, envelope, config } = deps
  return db.transaction(async (tx) => {
    await requireLiveActor(tx, clock, actor)
    const repository = providerRepository(tx, actor.teamId)
    const before = await repository.lock(id)
    if (!before) throw refusal('sso_provider_not_found')
    const rules = { httpAllowed: !config.secure, hasSecret: before.oidcClientSecret !== null }
    const settled = settleProvider(settingsOf(before), wanted, rules)
    const secret = wanted.oidcClientSecret
    const after = await repository.update(before, {
      ...settled,
      ...(secret !== undefined && { oidcClientSecret: secret && envelope.seal(secret, contextOfSecret(before)) }),
      savedBy: actor.userId,
      savedPermissions: [...actor.permissions],
      updatedAt: clock.now(),
    })
    const changed = (Object.keys(settled) as (keyof ProviderSettings)[]).filter(
      (field) => !isDeepStrictEqual(after[field], before[field]),
    )
    const isOther = NAMES_ISSUER.some((field) => after[field] !== before[field])
    const identitiesForgotten = isOther ? await repository.forgetIdentities(after) : 0
    await audit.record(tx, actor, 'sso_provider.updated', {
      resource: `sso_provider:${after.id}`,
      metadata: {
        changed: [...changed, ...(secret !== undefined ? ['oidcClientSecret'] : [])].sort(),
        ...(isOther && { identitiesForgotten }),
      },
    })
    return after
  })
}
