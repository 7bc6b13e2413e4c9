import { randomKey, uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { SigningKeyId } from '../../../platform/ids.js'
import type { Application } from '../../applications/index.js'
import { requireRecentAuthentication } from '../../sessions/index.js'
import type { OidcConfigDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { noteChange, rejectBeyond } from '../note-change.js'
import { findOidcApplication, lockOidcApplication } from '../oidc-application.js'
import { type Algorithm, publicJwkOf } from './key-algorithms.js'
import { keyRepository, type StoredKey } from './key-repository.js'
import { sealPrivateKey } from './key-store.js'
import { type KeyMaterial, type PemKeyPair, readKeyPair } from './read-key-pair.js'

/** Of a team and of each application, those included that only verify any more: each request for a JWKS answers them all. */
export const MOST_KEYS = 20

interface WantedKey {
  kid?: string
  algorithm: Algorithm
  isDefault?: boolean
  useForAccessTokens?: boolean
}

/** A fresh key, whose private half nobody ever sees. @throws as `importSigningKey`, and rate_limited */
export async function generateSigningKey(
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  wanted: WantedKey,
): Promise<StoredKey> {
  await mayAdd(deps, actor, appId, wanted)
  const material = { ...(await deps.signingKeys.generate(actor.teamId, wanted.algorithm)), certificateChain: null }
  return add(deps, actor, appId, wanted, material, false)
}

/**
 * A key that the caller brings along.
 * @throws application_not_found, application_not_oidc, kid_exists, limit_reached, reauthentication_required, invalid_request
 */
export async function importSigningKey(
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  wanted: WantedKey & { kid: string } & PemKeyPair,
): Promise<StoredKey> {
  await mayAdd(deps, actor, appId, wanted)
  return add(deps, actor, appId, wanted, await readKeyPair(wanted), true)
}

/** @throws reauthentication_required for a session that is not recent; a program with an API token has the right or has it not */
export function requireRecentSession({ clock }: Pick<OidcConfigDeps, 'clock'>, actor: Actor): void {
  if (actor.via === 'session') requireRecentAuthentication(clock, actor)
}

/** Only an access token has a second signer, and of the small kind. @throws invalid_request */
export function requireEs256(algorithm: string, useForAccessTokens: boolean | undefined): void {
  if (!useForAccessTokens || algorithm === 'ES256') return
  const message = 'must not be true for another algorithm than ES256'
  throw platformError('invalid_request', {
    detail: 'Some fields are missing or not valid',
    errors: [{ path: '/useForAccessTokens', message }],
  })
}

/** Refuses before anything slow is done. */
async function mayAdd(deps: OidcConfigDeps, actor: Actor, appId: string, wanted: WantedKey): Promise<void> {
  const count = await deps.db.transaction(async (tx) => {
    const { id } = await findOidcApplication(tx, actor.teamId, appId)
    return (await keyRepository(tx, actor.teamId, id).list()).length
  })
  requireRecentSession(deps, actor)
  requireEs256(wanted.algorithm, wanted.useForAccessTokens)
  rejectBeyond(MOST_KEYS, count, 'signing keys')
}

async function add(
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  wanted: WantedKey,
  material: KeyMaterial,
  imported: boolean,
): Promise<StoredKey> {
  // The keys of a team begin with its own: without it no set is there whose changes could be counted.
  await deps.signingKeys.ensure(actor.teamId, actor.origin)
  return deps.db.transaction(async (tx) => {
    const application = await lockOidcApplication(tx, actor.teamId, appId)
    const keys = keyRepository(tx, actor.teamId, application.id)
    await keys.countChange()
    rejectBeyond(MOST_KEYS, (await keys.list()).length, 'signing keys')
    if (wanted.kid !== undefined && (await keys.isTaken(wanted.kid))) throw rejection('kid_exists')
    return insertKey(tx, deps, actor, application, wanted, material, imported)
  })
}

async function insertKey(
  tx: Transaction,
  deps: OidcConfigDeps,
  actor: Actor,
  application: Application,
  { kid = randomKey(12).toString('base64url'), algorithm, isDefault = false, useForAccessTokens = false }: WantedKey,
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
  await noteChange(tx, deps, actor, application, 'signing_key.created', metadata)
  return key
}
