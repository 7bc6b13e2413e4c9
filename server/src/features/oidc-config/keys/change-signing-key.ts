import { type Clock, fromNow, MINUTE, SECOND } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import { parseId, type SigningKeyId } from '../../../platform/ids.js'
import type { Application } from '../../applications/index.js'
import type { OidcConfigDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { lockOidcApplication } from '../oidc-application.js'
import { changedFields, recordChange } from '../record-change.js'
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
  return deps.db.transaction(async (tx) => {
    const { application, keys, key } = await lockKey(tx, actor, appId, keyId)
    requireRecentSession(deps, actor)
    if (key.retiredAt) throw rejection('key_retired')
    requireEs256(key.algorithm, change.useForAccessTokens)
    const after = { ...key, ...change }
    const changed = changedFields(key, after)
    if (changed.length === 0) return key
    await keys.countChange()
    for (const mark of MARKS) if (after[mark]) await keys.unmarkOthers(key.id, mark)
    await keys.update(key.id, { isDefault: after.isDefault, useForAccessTokens: after.useForAccessTokens })
    const metadata = { keyId: key.id, kid: key.kid, changed }
    await recordChange(tx, deps, actor, application, 'signing_key.updated', metadata)
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
  return deps.db.transaction(async (tx) => {
    const { application, keys, key } = await lockKey(tx, actor, appId, keyId)
    const { id, kid } = key
    requireRecentSession(deps, actor)
    if (key.retiredAt && !immediately) return key
    await keys.countChange()
    if (immediately) {
      await keys.delete(id)
      await recordChange(tx, deps, actor, application, 'signing_key.removed', { keyId: id, kid })
      return { id, publishedUntil: null }
    }
    const policy = await policyRepository(tx).find(application.id)
    const publishedUntil = lastTokenEnds(deps.clock, {
      seconds: longestLifetime(policy ?? DEFAULT_TOKEN_POLICY),
      tokensUntil: policy?.tokensUntil ?? null,
    })
    const retired = { isDefault: false, useForAccessTokens: false, retiredAt: deps.clock.now(), publishedUntil }
    await keys.update(id, retired)
    const metadata = { keyId: id, kid, publishedUntil: publishedUntil.toISOString() }
    await recordChange(tx, deps, actor, application, 'signing_key.retired', metadata)
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

async function lockKey(
  tx: Transaction,
  { teamId }: Actor,
  appId: string,
  keyId: string,
): Promise<{ application: Application; keys: ReturnType<typeof keyRepository>; key: StoredKey }> {
  const application = await lockOidcApplication(tx, teamId, appId)
  const keys = keyRepository(tx, teamId, application.id)
  const known = parseId<SigningKeyId>(keyId)
  const key = (await keys.list()).find(({ id }) => id === known)
  if (!key) throw rejection('signing_key_not_found')
  return { application, keys, key }
}
