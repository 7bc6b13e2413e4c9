import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { FactorId } from '../../../platform/ids.js'
import { assertionOptions, type KnownCredential, relyingPartyOf } from '../../../protocols/webauthn/index.js'
import type { FactorDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { type FactorScope, validFactors } from '../valid-factors.js'
import { type ChallengeBinding, newChallenge } from './passkey-challenge.js'

const passkeysIn = namedQuery<{ credentialId: Buffer; transports: string[] }, [FactorId[]]>(
  'mfa.passkeys_in',
  'SELECT credential_id AS "credentialId", transports FROM passkeys WHERE factor_id = ANY($1) ORDER BY factor_id',
)

/** Returns the credential descriptors of the passkeys that are valid in the team. Runs in the caller's transaction. */
export async function passkeysOf(tx: Transaction, scope: FactorScope): Promise<KnownCredential[]> {
  const valid = await validFactors(tx, scope)
  const passkeys = await tx.run(passkeysIn, [valid.map(({ id }) => id)])
  return passkeys.map(({ credentialId, transports }) => ({
    id: credentialId.toString('base64url'),
    type: 'public-key' as const,
    ...(transports.length > 0 && { transports }),
  }))
}

/** Returns WebAuthn request options for the passkeys that are valid in the team. Stateless. Runs in the caller's transaction. @throws no_passkey */
export async function passkeyRequestOptions(
  tx: Transaction,
  deps: FactorDeps,
  scope: FactorScope,
  use: ChallengeBinding,
) {
  const known = await passkeysOf(tx, scope)
  if (known.length === 0) throw rejection('no_passkey')
  return assertionOptions(relyingPartyOf(deps.config.frontendUrl), newChallenge(deps, use), 'preferred', known)
}

/** Returns WebAuthn request options for any discoverable passkey, which identifies the account. Stateless. */
export const anyPasskeyRequestOptions = (deps: Pick<FactorDeps, 'keys' | 'clock' | 'config'>) =>
  assertionOptions(relyingPartyOf(deps.config.frontendUrl), newChallenge(deps, SIGN_IN), 'required', [])

export const SIGN_IN: ChallengeBinding = { purpose: 'sign_in', boundTo: [] }
