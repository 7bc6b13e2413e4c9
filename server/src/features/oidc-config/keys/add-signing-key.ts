import type { Actor } from '../../../platform/http/actor.js'
import { requireRecentAuthentication } from '../../sessions/index.js'
import { changeConfiguration, findOidcApplication, rejectBeyond } from '../change-configuration.js'
import type { OidcConfigDeps } from '../deps.js'
import { invalidFields, rejection } from '../errors.js'
import type { Algorithm } from './key-algorithms.js'
import { keyRepository, type StoredKey } from './key-repository.js'
import { newSigningKey } from './key-store.js'
import { type KeyMaterial, type PemKeyPair, readKeyPair } from './read-key-pair.js'

/** Maximum number of keys of the team itself, and of each application, including retired keys: each JWKS response contains all of them. */
export const MAX_KEYS = 20

interface KeyInput {
  kid?: string
  algorithm: Algorithm
  isDefault?: boolean
  useForAccessTokens?: boolean
}

/** Generates a key whose private key never leaves the service. @throws like `importSigningKey`, and rate_limited */
export async function generateSigningKey(
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  wanted: KeyInput,
): Promise<StoredKey> {
  await requireCanAdd(deps, actor, appId, wanted)
  const material = { ...(await deps.signingKeys.generate(actor.teamId, wanted.algorithm)), certificateChain: null }
  return add(deps, actor, appId, wanted, material, false)
}

/**
 * Imports a key of the caller.
 * @throws application_not_found, application_not_oidc, kid_exists, limit_reached, reauthentication_required, invalid_request
 */
export async function importSigningKey(
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  wanted: KeyInput & { kid: string } & PemKeyPair,
): Promise<StoredKey> {
  await requireCanAdd(deps, actor, appId, wanted)
  return add(deps, actor, appId, wanted, await readKeyPair(wanted), true)
}

/** @throws reauthentication_required for a session without a recent sign-in; an API token only needs the permission */
export function requireRecentSession({ clock }: OidcConfigDeps, actor: Actor): void {
  if (actor.via === 'session') requireRecentAuthentication(clock, actor)
}

/** A separate key for access tokens is supported only with ES256, for its short signatures. @throws invalid_request */
export function requireEs256(algorithm: string, useForAccessTokens: boolean | undefined): void {
  if (!useForAccessTokens || algorithm === 'ES256') return
  throw invalidFields({ path: '/useForAccessTokens', message: 'must not be true for another algorithm than ES256' })
}

/** Verifies the conditions before the key is generated or parsed, which is slow. `add` verifies the limit again. */
async function requireCanAdd(deps: OidcConfigDeps, actor: Actor, appId: string, wanted: KeyInput): Promise<void> {
  const count = await deps.db.transaction(async (tx) => {
    const { id } = await findOidcApplication(tx, actor.teamId, appId)
    return (await keyRepository(tx, actor.teamId, id).list()).length
  })
  requireRecentSession(deps, actor)
  requireEs256(wanted.algorithm, wanted.useForAccessTokens)
  rejectBeyond(MAX_KEYS, count, 'signing keys')
}

async function add(
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  { kid: wantedKid, algorithm, isDefault = false, useForAccessTokens = false }: KeyInput,
  { certificateChain, ...keyPair }: KeyMaterial,
  imported: boolean,
): Promise<StoredKey> {
  // Generates the first key of the team if it has none, because `countChange` increments the version of its key set.
  await deps.signingKeys.ensure(actor.teamId, actor.origin)
  return changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    const keys = keyRepository(tx, actor.teamId, application.id)
    await keys.countChange()
    rejectBeyond(MAX_KEYS, (await keys.list()).length, 'signing keys')
    if (wantedKid !== undefined && (await keys.isTaken(wantedKid))) throw rejection('kid_exists')
    const owner = { organizationId: actor.teamId, applicationId: application.id }
    const given = { ...owner, algorithm, isDefault, useForAccessTokens, certificateChain }
    const key = newSigningKey(deps, keyPair, given, wantedKid)
    const { id, kid } = key
    if (isDefault) await keys.unmarkOthers(id, 'isDefault')
    if (useForAccessTokens) await keys.unmarkOthers(id, 'useForAccessTokens')
    await keys.insert(key)
    await record('signing_key.created', { keyId: id, kid, algorithm, isDefault, useForAccessTokens, imported })
    return key
  })
}
