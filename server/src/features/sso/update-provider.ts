import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../platform/http/actor.js'
import { requireLiveActor } from '../credentials/index.js'
import type { ProviderDeps } from './deps.js'
import { endOpened, lockOpeners } from './end-opened.js'
import { rejection } from './errors.js'
import { noteSaved } from './metadata-due.js'
import { type GivenMetadata, metadataFor } from './metadata-for.js'
import { namesTrust } from './names-trust.js'
import { contextOfSecret, type Provider, type ProviderSettings, settingsOf, type WantedSettings } from './provider.js'
import { readProvider } from './queries.js'
import { rejectSecretElsewhere } from './reject-secret-elsewhere.js'
import { providerRepository } from './repository.js'
import { settleProvider } from './settle-provider.js'

const ATTEMPTS = 3

/** What says whose subjects they are: with another one the same subject is somebody else. */
const NAMES_ISSUER = ['protocol', 'oidcIssuer', 'samlEntityId'] as const

/**
 * Changes what is given and leaves the rest; who names what the provider trusts answers for it from then on, by their rights. Who only
 * switches it on leaves it the permissions that they hold too, and lends it none. Sign-ins
 * that are under way end with a refusal. With another issuer it is another provider: every identity that it knew is forgotten, and the
 * sessions that it opened end, as they do where it is switched off. Metadata that the change needs is read before.
 * @throws sso_provider_not_found, invalid_request, sso_secret_needed, sso_metadata_unreachable, sso_metadata_invalid, sso_provider_busy
 */
export async function updateProvider(
  deps: ProviderDeps,
  actor: Actor,
  id: string,
  wanted: WantedSettings,
): Promise<Provider> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const seen = await readProvider(deps, actor, id)
    const metadata = await metadataFor(deps, actor.teamId, settingsOf(seen), wanted)
    const saved = await saveProvider(deps, actor, wanted, { id: seen.id, version: seen.version, metadata })
    if (saved) return saved
    // Somebody else changed it meanwhile, and with it perhaps the address whose metadata this is.
  }
  throw rejection('sso_provider_busy')
}

/** What was seen of the provider before, and read for it. */
interface Seen extends Pick<Provider, 'id' | 'version'> {
  metadata: GivenMetadata | undefined
}

/** Whether the change may end what the provider opened. Metadata may name another issuer. */
const mayEndSessions = (wanted: WantedSettings, metadata: GivenMetadata | undefined): boolean =>
  metadata !== undefined || wanted.enabled === false || NAMES_ISSUER.some((field) => wanted[field] !== undefined)

/** @returns undefined where what was read may be of another provider by now */
function saveProvider(
  deps: ProviderDeps,
  actor: Actor,
  wanted: WantedSettings,
  { id, version, metadata }: Seen,
): Promise<Provider | undefined> {
  const { db, clock, audit, envelope, config } = deps
  return db.transaction(async (tx) => {
    if (mayEndSessions(wanted, metadata)) await lockOpeners(tx, [id])
    const { temporarySetBy } = await requireLiveActor(tx, clock, actor)
    const repository = providerRepository(tx, actor.teamId)
    const before = await repository.lock(id)
    if (!before) throw rejection('sso_provider_not_found')
    if (metadata && before.version !== version) return undefined
    const rules = { httpAllowed: !config.secure, hasSecret: before.oidcClientSecret !== null, metadata }
    const settled = settleProvider(settingsOf(before), wanted, rules)
    const isSwitchedOn = !before.enabled && settled.enabled
    const secret = wanted.oidcClientSecret
    rejectSecretElsewhere(before, settled, secret)
    const url = settled.samlMetadataUrl
    const isAsked = url !== before.samlMetadataUrl || (metadata && !metadata.uploaded)
    const after = await repository.update(before, {
      ...settled,
      ...(isAsked && noteSaved(clock, url, metadata)),
      ...(secret !== undefined && { oidcClientSecret: secret && envelope.seal(secret, contextOfSecret(before)) }),
      ...(namesTrust(wanted)
        ? { savedBy: actor.userId, temporarySetBy, savedPermissions: [...actor.permissions] }
        : isSwitchedOn && { savedPermissions: before.savedPermissions.filter((held) => actor.permissions.has(held)) }),
      updatedAt: clock.now(),
    })
    const changed = (Object.keys(settled) as (keyof ProviderSettings)[]).filter(
      (field) => !isDeepStrictEqual(after[field], before[field]),
    )
    const isOther = NAMES_ISSUER.some((field) => after[field] !== before[field])
    const isSwitchedOff = before.enabled && !after.enabled
    // What the one has opened is not the other's to end.
    const whyEnded = isOther ? 'provider_replaced' : isSwitchedOff ? 'provider_disabled' : undefined
    const sessionsEnded = whyEnded && (await endOpened(tx, clock, after, whyEnded))
    const identitiesForgotten = isOther ? await repository.forgetIdentities(after) : 0
    await audit.record(tx, actor, 'sso_provider.updated', {
      resource: `sso_provider:${after.id}`,
      metadata: {
        changed: [...changed, ...(secret !== undefined ? ['oidcClientSecret'] : [])].sort(),
        ...(isOther && { identitiesForgotten }),
        ...(sessionsEnded !== undefined && { sessionsEnded }),
      },
    })
    return after
  })
}
