import { type Clock, fromNow, MINUTE, SECOND } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import { parseId, type SigningKeyId } from '../../../platform/ids.js'
import type { Application } from '../../applications/index.js'
import type { OidcConfigDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { changedFields, noteChange } from '../note-change.js'
import { lockOidcApplication } from '../oidc-application.js'
import { longestLife, policyRepository } from '../token-policy/policy-repository.js'
import { DEFAULT_TOKEN_POLICY } from '../token-policy/token-policy.js'
import { requireEs256, requireRecentSession } from './add-signing-key.js'
import { keyRepository, type StoredKey } from './key-repository.js'

const MARKS = ['isDefault', 'useForAccessTokens'] as const

/** A request that runs while its key is taken away may still sign by it. */
const STILL_SIGNING = MINUTE

/**
 * Changes what a key signs. Where no key is the default any more, the team's signs again.
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
    await noteChange(tx, deps, actor, application, 'signing_key.updated', metadata)
    return after
  })
}

/**
 * From the commit on the key signs nothing. It stays published, and verifies, until the last token that it may have signed has
 * ended; deleted once more it stays as it is.
 * @param immediately it is gone at once, and what it signed is dead: for a key that somebody else may have
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
      await noteChange(tx, deps, actor, application, 'signing_key.removed', { keyId: id, kid })
      return { id, publishedUntil: null }
    }
    const policy = await policyRepository(tx).find(application.id)
    const publishedUntil = lastTokenEnds(deps.clock, {
      seconds: longestLife(policy ?? DEFAULT_TOKEN_POLICY),
      tokensUntil: policy?.tokensUntil ?? null,
    })
    const retired = { isDefault: false, useForAccessTokens: false, retiredAt: deps.clock.now(), publishedUntil }
    await keys.update(id, retired)
    const metadata = { keyId: id, kid, publishedUntil: publishedUntil.toISOString() }
    await noteChange(tx, deps, actor, application, 'signing_key.retired', metadata)
    return { id, publishedUntil }
  })
}

/** When the last token ends that a key has signed which stops now. */
export function lastTokenEnds(
  clock: Clock,
  { seconds, tokensUntil }: { seconds: number; tokensUntil: Date | null },
): Date {
  const end = fromNow(clock, seconds * SECOND + STILL_SIGNING)
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
