import { DAY, fromNow } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { parseId, type SamlKeyId } from '../../platform/ids.js'
import { requireRecentAuthentication } from '../sessions/index.js'
import { rejection } from './errors.js'
import { resourceOf, type SamlKeyDeps, type SamlKeyStore } from './key-store.js'
import { withCertificate } from './make-key.js'
import { nameOfOwner, type SamlKeyOwner } from './owner.js'
import { type StoredSamlKey, samlKeyRepository } from './repository.js'

export type { StoredSamlKey }

export interface ExchangeDeps extends SamlKeyDeps {
  samlKeys: Pick<SamlKeyStore, 'of'>
}

/** Returns the owner whose keys an administrator manages. @throws an error for an unknown owner */
export type FindOwner = (tx: Transaction) => Promise<SamlKeyOwner>

/** How long peers that have not noticed the rollover can still verify and encrypt with the previous certificate. */
const STILL_PUBLISHED = 30 * DAY

/** Returns the keys that have not expired, the signing one first. Creates the first key if there is none. */
export async function listSamlKeys(deps: ExchangeDeps, actor: Actor, find: FindOwner): Promise<StoredSamlKey[]> {
  const owner = await deps.db.transaction(find)
  await deps.samlKeys.of(owner, actor.origin)
  return deps.db.transaction((tx) => samlKeyRepository(tx, owner, deps.clock.now()).lock())
}

/**
 * Creates the key that will sign next. Its certificate is published immediately, so that peers can import it.
 * @throws reauthentication_required, saml_key_waits, rate_limited
 */
export async function prepareSamlKey(deps: ExchangeDeps, actor: Actor, find: FindOwner): Promise<StoredSamlKey> {
  const present = await listSamlKeys(deps, actor, find)
  requireRecentSession(deps, actor)
  if (present.some(({ state }) => state === 'next')) throw rejection('saml_key_waits')
  const { privateKey } = await deps.rsaKeyPairs.generateOnRequest(actor.teamId)
  return deps.db.transaction(async (tx) => {
    const owner = await find(tx)
    const key = withCertificate(deps, privateKey, (await nameOfOwner(tx, owner)) ?? '')
    const repository = samlKeyRepository(tx, owner, deps.clock.now())
    if (!(await repository.insert({ ...key, state: 'next' }))) throw rejection('saml_key_waits')
    const metadata = { keyId: key.id, notAfter: key.notAfter.toISOString() }
    await deps.audit.record(tx, actor, 'saml_key.prepared', { resource: resourceOf(owner), metadata })
    const { teamId: organizationId, applicationId } = owner
    return { ...key, organizationId, applicationId, state: 'next', endsAt: null }
  })
}

/**
 * Makes the next key the signing one. The previous key stays published for 30 days, and still decrypts.
 * @param immediately deletes the previous key, which may be compromised
 * @throws reauthentication_required, saml_key_not_found, saml_key_not_waiting
 */
export function activateSamlKey(
  deps: ExchangeDeps,
  actor: Actor,
  find: FindOwner,
  keyId: string,
  { immediately = false } = {},
): Promise<StoredSamlKey> {
  return withKey(deps, actor, find, keyId, async (tx, owner, key, all) => {
    if (key.state !== 'next') throw rejection('saml_key_not_waiting')
    const repository = samlKeyRepository(tx, owner, deps.clock.now())
    const before = all.find(({ state }) => state === 'active')
    const endsAt = fromNow(deps.clock, STILL_PUBLISHED)
    if (before && immediately) await repository.delete(before.id)
    else if (before) await repository.update(before.id, { state: 'retired', endsAt })
    await repository.update(key.id, { state: 'active', endsAt: null })
    const beforeEndsAt = immediately ? null : endsAt.toISOString()
    const metadata = { keyId: key.id, before: before?.id ?? null, beforeEndsAt }
    await deps.audit.record(tx, actor, 'saml_key.activated', { resource: resourceOf(owner), metadata })
    return { ...key, state: 'active' as const }
  })
}

/**
 * Deletes a key that does not sign: it is no longer published and no longer decrypts.
 * @throws reauthentication_required, saml_key_not_found, saml_key_signs
 */
export function endSamlKey(deps: ExchangeDeps, actor: Actor, find: FindOwner, keyId: string): Promise<SamlKeyId> {
  return withKey(deps, actor, find, keyId, async (tx, owner, { id, state }) => {
    if (state === 'active') throw rejection('saml_key_signs')
    await samlKeyRepository(tx, owner, deps.clock.now()).delete(id)
    const metadata = { keyId: id, state }
    await deps.audit.record(tx, actor, 'saml_key.ended', { resource: resourceOf(owner), metadata })
    return id
  })
}

/** Runs `act` with the key, locked with all keys of its owner. @throws reauthentication_required, saml_key_not_found */
function withKey<T>(
  deps: ExchangeDeps,
  actor: Actor,
  find: FindOwner,
  keyId: string,
  act: (tx: Transaction, owner: SamlKeyOwner, key: StoredSamlKey, all: StoredSamlKey[]) => Promise<T>,
): Promise<T> {
  return deps.db.transaction(async (tx) => {
    const owner = await find(tx)
    requireRecentSession(deps, actor)
    const all = await samlKeyRepository(tx, owner, deps.clock.now()).lock()
    const known = parseId<SamlKeyId>(keyId)
    const key = all.find(({ id }) => id === known)
    if (!key) throw rejection('saml_key_not_found')
    return act(tx, owner, key, all)
  })
}

/** An API token cannot reauthenticate, so only its permissions count. */
function requireRecentSession({ clock }: ExchangeDeps, actor: Actor): void {
  if (actor.via === 'session') requireRecentAuthentication(clock, actor)
}
