import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../../platform/http/actor.js'
import { requireActiveActor } from '../../access-tokens/index.js'
import { rejection } from '../errors.js'
import type { SsoDeps } from '../model/deps.js'
import {
  contextOfSecret,
  type Provider,
  type ProviderSettings,
  settingsOf,
  type WantedSettings,
} from '../model/provider.js'
import { providerRepository, requireProvider } from '../model/repository.js'
import { noteSaved } from '../saml-metadata/due.js'
import { metadataFor, type RequiredMetadata } from '../saml-metadata/required-metadata.js'
import { endProviderSessions, lockSessionUsers } from './end-provider-sessions.js'
import { resolveSettings } from './resolve-settings.js'
import { readProvider } from './stored-providers.js'

const ATTEMPTS = 3

/** The settings that identify the issuer: with another issuer, the same subject is another user. */
const NAMES_ISSUER = ['protocol', 'oidcIssuer', 'samlEntityId'] as const

/**
 * Changes the settings that are given. A trust setting makes the caller the last editor. Enabling the provider without one removes the
 * permissions that the caller lacks, and adds none. Sign-ins in progress are rejected. Another issuer deletes all linked identities; it
 * also ends the sessions that the provider started, as disabling does. Required metadata is fetched before the transaction.
 * @throws sso_provider_not_found, invalid_request, sso_secret_needed, sso_metadata_unreachable, sso_metadata_invalid, sso_provider_busy
 */
export async function updateProvider(
  deps: SsoDeps,
  actor: Actor,
  id: string,
  wanted: WantedSettings,
): Promise<Provider> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const seen = await readProvider(deps, actor, id)
    const metadata = await metadataFor(deps, actor.teamId, settingsOf(seen), wanted)
    const saved = await saveProvider(deps, actor, wanted, { id: seen.id, version: seen.version, metadata })
    if (saved) return saved
    // A concurrent change may have replaced the metadata URL that was read.
  }
  throw rejection('sso_provider_busy')
}

/** The provider as read before the transaction, with the metadata that was fetched for it. */
interface Seen extends Pick<Provider, 'id' | 'version'> {
  metadata: RequiredMetadata | undefined
}

/** Whether the change may end sessions. Metadata may contain another issuer. */
const mayEndSessions = (wanted: WantedSettings, metadata: RequiredMetadata | undefined): boolean =>
  metadata !== undefined || wanted.enabled === false || NAMES_ISSUER.some((field) => wanted[field] !== undefined)

/** @returns undefined if the fetched metadata may belong to an outdated version of the provider */
function saveProvider(
  deps: SsoDeps,
  actor: Actor,
  wanted: WantedSettings,
  { id, version, metadata }: Seen,
): Promise<Provider | undefined> {
  const { db, clock, audit, envelope, config } = deps
  return db.transaction(async (tx) => {
    if (mayEndSessions(wanted, metadata)) await lockSessionUsers(tx, [id])
    const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
    const repository = providerRepository(tx, actor.teamId)
    const before = requireProvider(await repository.lock(id))
    if (metadata && before.version !== version) return undefined
    const rules = { httpAllowed: !config.secure, hasSecret: before.oidcClientSecret !== null, metadata }
    const settings = resolveSettings(settingsOf(before), wanted, rules)
    const isSwitchedOn = !before.enabled && settings.enabled
    const secret = wanted.oidcClientSecret
    requireSecretForNewDestination(before, settings, secret)
    const url = settings.samlMetadataUrl
    const isNoted = url !== before.samlMetadataUrl || (metadata && !metadata.uploaded)
    const after = await repository.update(before, {
      ...settings,
      ...(isNoted && noteSaved(clock, url, metadata)),
      ...(secret !== undefined && { oidcClientSecret: secret && envelope.seal(secret, contextOfSecret(before)) }),
      ...(changesTrust(wanted)
        ? { savedBy: actor.userId, temporarySetBy, savedPermissions: [...actor.permissions] }
        : isSwitchedOn && { savedPermissions: before.savedPermissions.filter((held) => actor.permissions.has(held)) }),
      updatedAt: clock.now(),
    })
    const changed = (Object.keys(settings) as (keyof ProviderSettings)[]).filter(
      (field) => !isDeepStrictEqual(after[field], before[field]),
    )
    const isOther = NAMES_ISSUER.some((field) => after[field] !== before[field])
    const isSwitchedOff = before.enabled && !after.enabled
    // The sessions of the previous issuer must not stay with the new one, whose sign-outs could not end them.
    const whyEnded = isOther ? 'provider_replaced' : isSwitchedOff ? 'provider_disabled' : undefined
    const sessionsEnded = whyEnded && (await endProviderSessions(tx, clock, after, whyEnded))
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

/** Settings that do not affect which users the provider accepts, or how it authenticates them. */
const WITHOUT_TRUST: readonly string[] = ['name', 'enabled'] satisfies (keyof WantedSettings)[]

/**
 * Whether a change contains a trust setting, even with an unchanged value: it makes the caller the last editor. A change of the name, or
 * enabling and disabling, delegates no permissions to the provider.
 */
const changesTrust = (wanted: WantedSettings): boolean =>
  Object.entries(wanted).some(([field, value]) => value !== undefined && !WITHOUT_TRUST.includes(field))

/**
 * The settings that determine where the client secret is sent: the token endpoint comes from the issuer's discovery document or from here,
 * and a CA can issue a certificate for another server.
 */
const DESTINATION = ['oidcIssuer', 'oidcTokenUrl', 'caCertificate'] as const

/**
 * Rejects a change that would send the stored client secret to another server: its editor may not know the secret.
 * @param given the secret in the same change; null deletes the stored one
 * @throws sso_secret_needed
 */
function requireSecretForNewDestination(
  before: Provider,
  after: ProviderSettings,
  given: string | null | undefined,
): void {
  const hasNewDestination = DESTINATION.some((field) => after[field] !== before[field])
  if (before.oidcClientSecret === null || given !== undefined || !hasNewDestination) return
  const message = 'is required again: the change would send it to another server'
  throw rejection('sso_secret_needed', {
    detail: `oidcClientSecret ${message}`,
    errors: [{ path: '/oidcClientSecret', message }],
  })
}
