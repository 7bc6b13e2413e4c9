import type { Actor } from '../../../platform/http/actor.js'
import { rejectBeyond } from '../change-configuration.js'
import type { OidcConfigDeps } from '../deps.js'
import { policyRepository } from '../token-policy/policy-repository.js'
import { MAX_KEYS, requireRecentSession } from './add-signing-key.js'
import { lastTokenEnds } from './change-signing-key.js'
import { keyRepository, type StoredKey } from './key-repository.js'
import { newSigningKey } from './key-store.js'

/** Returns the team's keys, newest first. Generates the first key if there is none. */
export async function listTeamKeys({ db, signingKeys }: OidcConfigDeps, actor: Actor): Promise<StoredKey[]> {
  const list = () => db.transaction((tx) => keyRepository(tx, actor.teamId, null).list())
  const keys = await list()
  if (keys.length > 0) return keys
  await signingKeys.ensure(actor.teamId, actor.origin)
  return list()
}

/**
 * Generates a new RS256 signing key of the team. The previous key stays in the JWKS until the last token of the team's
 * applications has expired.
 * @param immediately deletes all previous keys, which invalidates their tokens: for a key that may be compromised
 * @throws reauthentication_required, limit_reached, rate_limited
 */
export async function rotateTeamKey(
  deps: OidcConfigDeps,
  actor: Actor,
  { immediately = false } = {},
): Promise<StoredKey> {
  requireRecentSession(deps, actor)
  const count = (await listTeamKeys(deps, actor)).length
  // With `immediately` all keys are deleted, so the limit does not apply.
  if (!immediately) rejectBeyond(MAX_KEYS, count, 'signing keys')
  const keyPair = await deps.signingKeys.generate(actor.teamId, 'RS256')
  return deps.db.transaction(async (tx) => {
    const keys = keyRepository(tx, actor.teamId, null)
    await keys.countChange()
    const present = await keys.list()
    if (!immediately) rejectBeyond(MAX_KEYS, present.length, 'signing keys')
    const signing = present.find(({ isDefault }) => isDefault)
    const publishedUntil = immediately
      ? null
      : lastTokenEnds(deps.clock, await policyRepository(tx).longestOfTeam(actor.teamId))
    if (immediately) for (const { id } of present) await keys.delete(id)
    else if (signing) await keys.update(signing.id, { isDefault: false, retiredAt: deps.clock.now(), publishedUntil })
    const key = newSigningKey(deps, keyPair, { organizationId: actor.teamId, algorithm: 'RS256', isDefault: true })
    await keys.insert(key)
    await deps.audit.record(tx, actor, 'signing_key.rotated', {
      resource: `signing-key:${key.id}`,
      metadata: {
        kid: key.kid,
        before: signing?.kid ?? null,
        ...(publishedUntil
          ? { publishedUntil: publishedUntil.toISOString() }
          : { removed: present.map((one) => one.kid) }),
      },
    })
    return key
  })
}
