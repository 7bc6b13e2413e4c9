import { randomKey, uuidv7 } from '../../../platform/crypto/random.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { SigningKeyId } from '../../../platform/ids.js'
import type { OidcConfigDeps } from '../deps.js'
import { rejectBeyond } from '../note-change.js'
import { policyRepository } from '../token-policy/policy-repository.js'
import { MOST_KEYS, requireRecentSession } from './add-signing-key.js'
import { lastTokenEnds } from './change-signing-key.js'
import { publicJwkOf } from './key-algorithms.js'
import { keyRepository, type StoredKey } from './key-repository.js'
import { sealPrivateKey } from './key-store.js'

/** The team's keys, newest first; its first is made here when it has none. */
export async function listTeamKeys({ db, signingKeys }: OidcConfigDeps, actor: Actor): Promise<StoredKey[]> {
  const list = () => db.transaction((tx) => keyRepository(tx, actor.teamId, null).list())
  const keys = await list()
  if (keys.length > 0) return keys
  await signingKeys.ensure(actor.teamId, actor.origin)
  return list()
}

/**
 * A new RS256 key signs for the team from now on; the one before verifies until the last token of any of the team's applications
 * has ended.
 * @param immediately it is gone at once with all before it, and what they signed is dead: for a key that somebody else may have
 * @throws reauthentication_required, limit_reached, rate_limited
 */
export async function rotateTeamKey(
  deps: OidcConfigDeps,
  actor: Actor,
  { immediately = false } = {},
): Promise<StoredKey> {
  requireRecentSession(deps, actor)
  const count = (await listTeamKeys(deps, actor)).length
  // Where all make way, there is room.
  if (!immediately) rejectBeyond(MOST_KEYS, count, 'signing keys')
  const { publicKey, privateKey } = await deps.signingKeys.generate(actor.teamId, 'RS256')
  return deps.db.transaction(async (tx) => {
    const keys = keyRepository(tx, actor.teamId, null)
    await keys.countChange()
    const present = await keys.list()
    if (!immediately) rejectBeyond(MOST_KEYS, present.length, 'signing keys')
    const now = deps.clock.now()
    const signing = present.find(({ isDefault }) => isDefault)
    const publishedUntil = immediately
      ? null
      : lastTokenEnds(deps.clock, await policyRepository(tx).longestOfTeam(actor.teamId))
    if (immediately) for (const { id } of present) await keys.delete(id)
    else if (signing) await keys.update(signing.id, { isDefault: false, retiredAt: now, publishedUntil })
    const id = uuidv7<SigningKeyId>(deps.clock)
    const kid = randomKey(12).toString('base64url')
    const key: StoredKey = {
      id,
      organizationId: actor.teamId,
      applicationId: null,
      kid,
      algorithm: 'RS256',
      publicJwk: publicJwkOf(publicKey, kid, 'RS256'),
      sealedPrivateKey: sealPrivateKey(deps.envelope, id, privateKey),
      isDefault: true,
      useForAccessTokens: false,
      certificateChain: null,
      createdAt: now,
      retiredAt: null,
      publishedUntil: null,
    }
    await keys.insert(key)
    await deps.audit.record(tx, actor, 'signing_key.rotated', {
      resource: `signing-key:${id}`,
      metadata: {
        kid,
        before: signing?.kid ?? null,
        ...(publishedUntil
          ? { publishedUntil: publishedUntil.toISOString() }
          : { removed: present.map((one) => one.kid) }),
      },
    })
    return key
  })
}
