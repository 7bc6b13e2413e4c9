import { type Clock, fromNow, MINUTE, SECOND } from '../../../platform/clock.js'
import type { Actor } from '../../../platform/http/actor.js'
import { changeConfiguration, changedFields, requireEntry } from '../change-configuration.js'
import type { OidcConfigDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { longestLifetime, policyRepository } from '../token-policy/policy-repository.js'
import { DEFAULT_TOKEN_POLICY } from '../token-policy/token-policy.js'
import { requireEs256, requireRecentSession } from './add-signing-key.js'
import { keyRepository, type StoredKey } from './key-repository.js'

const MARKS = ['isDefault', 'useForAccessTokens'] as const

/** A request that runs while a key is retired may still sign with it. */
const IN_FLIGHT = MINUTE

/**
 * Changes the usage of a key. Without a default key, the key of the team signs.
 * @throws application_not_found, application_not_oidc, signing_key_not_found, reauthentication_required, key_retired, invalid_request
 */
export function updateSigningKey(
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  keyId: string,
  change: Partial<Pick<StoredKey, (typeof MARKS)[number]>>,
): Promise<StoredKey> {
  return changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    const keys = keyRepository(tx, actor.teamId, application.id)
    const key = requireEntry(await keys.list(), keyId, 'signing_key_not_found')
    requireRecentSession(deps, actor)
    if (key.retiredAt) throw rejection('key_retired')
    requireEs256(key.algorithm, change.useForAccessTokens)
    const after = { ...key, ...change }
    const changed = changedFields(key, after)
    if (changed.length === 0) return key
    await keys.countChange()
    for (const mark of MARKS) if (after[mark]) await keys.unmarkOthers(key.id, mark)
    await keys.update(key.id, { isDefault: after.isDefault, useForAccessTokens: after.useForAccessTokens })
    await record('signing_key.updated', { keyId: key.id, kid: key.kid, changed })
    return after
  })
}

/**
 * Retires a key: it signs no more tokens. It stays published until the last token that it may have signed has expired. Deleting it again
 * changes nothing.
 * @param immediately deletes the key, which invalidates its tokens: for a key that may be compromised
 * @throws application_not_found, application_not_oidc, signing_key_not_found, reauthentication_required
 */
export function deleteSigningKey(
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  keyId: string,
  { immediately = false } = {},
): Promise<Pick<StoredKey, 'id' | 'publishedUntil'>> {
  return changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    const keys = keyRepository(tx, actor.teamId, application.id)
    const key = requireEntry(await keys.list(), keyId, 'signing_key_not_found')
    const { id, kid } = key
    requireRecentSession(deps, actor)
    if (key.retiredAt && !immediately) return key
    await keys.countChange()
    if (immediately) {
      await keys.delete(id)
      await record('signing_key.removed', { keyId: id, kid })
      return { id, publishedUntil: null }
    }
    const policy = await policyRepository(tx).find(application.id)
    const publishedUntil = lastTokenEnds(deps.clock, {
      seconds: longestLifetime(policy ?? DEFAULT_TOKEN_POLICY),
      tokensUntil: policy?.tokensUntil ?? null,
    })
    const retired = { isDefault: false, useForAccessTokens: false, retiredAt: deps.clock.now(), publishedUntil }
    await keys.update(id, retired)
    await record('signing_key.retired', { keyId: id, kid, publishedUntil: publishedUntil.toISOString() })
    return { id, publishedUntil }
  })
}

/** Returns the expiry of the last token that a key which is retired now may have signed. */
export function lastTokenEnds(
  clock: Clock,
  { seconds, tokensUntil }: { seconds: number; tokensUntil: Date | null },
): Date {
  const end = fromNow(clock, seconds * SECOND + IN_FLIGHT)
  return tokensUntil && tokensUntil > end ? tokensUntil : end
}
