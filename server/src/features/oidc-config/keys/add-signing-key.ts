import { randomKey, uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { SigningKeyId } from '../../../platform/ids.js'
import type { Application } from '../../applications/index.js'
import { requireRecentAuthentication } from '../../sessions/index.js'
import type { OidcConfigDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { findOidcApplication, lockOidcApplication } from '../oidc-application.js'
import { recordChange, rejectBeyond } from '../record-change.js'
import { type Algorithm, publicJwkOf } from './key-algorithms.js'
import { keyRepository, type StoredKey } from './key-repository.js'
import { sealPrivateKey } from './key-store.js'
import { type KeyMaterial, type PemKeyPair, readKeyPair } from './read-key-pair.js'

/** Limit for a team and for each application, including retired keys: each JWKS response contains all of them. */
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
  await mayAdd(deps, actor, appId, wanted)
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
  await mayAdd(deps, actor, appId, wanted)
  return add(deps, actor, appId, wanted, await readKeyPair(wanted), true)
}

/** @throws reauthentication_required for a session without a recent sign-in; an API token only needs the permission */
export function requireRecentSession({ clock }: Pick<OidcConfigDeps, 'clock'>, actor: Actor): void {
  if (actor.via === 'session') requireRecentAuthentication(clock, actor)
}

/** A separate key for access tokens is supported only with ES256, for its short signatures. @throws invalid_request */
export function requireEs256(algorithm: string, useForAccessTokens: boolean | undefined): void {
  if (!useForAccessTokens || algorithm === 'ES256') return
  const message = 'must not be true for another algorithm than ES256'
  throw platformError('invalid_request', {
    detail: 'Some fields are missing or not valid',
    errors: [{ path: '/useForAccessTokens', message }],
  })
}

/** Rejects before the slow generation or verification of the key. */
async function mayAdd(deps: OidcConfigDeps, actor: Actor, appId: string, wanted: KeyInput): Promise<void> {
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
  wanted: KeyInput,
  material: KeyMaterial,
  imported: boolean,
): Promise<StoredKey> {
  // The first key of a team creates its key set, whose version counts the changes.
  await deps.signingKeys.ensure(actor.teamId, actor.origin)
  return deps.db.transaction(async (tx) => {
    const application = await lockOidcApplication(tx, actor.teamId, appId)
    const keys = keyRepository(tx, actor.teamId, application.id)
    await keys.countChange()
    rejectBeyond(MAX_KEYS, (await keys.list()).length, 'signing keys')
    if (wanted.kid !== undefined && (await keys.isTaken(wanted.kid))) throw rejection('kid_exists')
    return insertKey(tx, deps, actor, application, wanted, material, imported)
  })
}

async function insertKey(
  tx: Transaction,
  deps: OidcConfigDeps,
  actor: Actor,
  application: Application,
  { kid = randomKey(12).toString('base64url'), algorithm, isDefault = false, useForAccessTokens = false }: KeyInput,
  { publicKey, privateKey, certificateChain }: KeyMaterial,
  imported: boolean,
): Promise<StoredKey> {
  const keys = keyRepository(tx, actor.teamId, application.id)
  const id = uuidv7<SigningKeyId>(deps.clock)
  const key: StoredKey = {
    id,
    organizationId: actor.teamId,
    applicationId: application.id,
    kid,
    algorithm,
    publicJwk: publicJwkOf(publicKey, kid, algorithm),
    sealedPrivateKey: sealPrivateKey(deps.envelope, id, privateKey),
    isDefault,
    useForAccessTokens,
    certificateChain,
    createdAt: deps.clock.now(),
    retiredAt: null,
    publishedUntil: null,
  }
  if (isDefault) await keys.unmarkOthers(id, 'isDefault')
  if (useForAccessTokens) await keys.unmarkOthers(id, 'useForAccessTokens')
  await keys.insert(key)
  const metadata = { keyId: id, kid, algorithm, isDefault, useForAccessTokens, imported }
  await recordChange(tx, deps, actor, application, 'signing_key.created', metadata)
  return key
}
