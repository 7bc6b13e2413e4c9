import type { Transaction } from '../../platform/db/database.js'
import type { UserId } from '../../platform/ids.js'
import { askToProve, type KnownCredential, relyingPartyOf } from '../../protocols/webauthn/index.js'
import type { FactorDeps } from './deps.js'
import { refusal } from './errors.js'
import { listFactors } from './factor-repository.js'
import { type ChallengeFor, newChallenge } from './passkey-challenge.js'

/** A step: the passkeys of the account, as a browser is told of them. */
export async function passkeysOf(
  tx: Transaction,
  { clock }: Pick<FactorDeps, 'clock'>,
  userId: UserId,
): Promise<KnownCredential[]> {
  const all = await listFactors(tx, clock, userId)
  return all.flatMap(({ passkey }) =>
    passkey
      ? [
          {
            id: passkey.credentialId.toString('base64url'),
            type: 'public-key' as const,
            ...(passkey.transports.length > 0 && { transports: passkey.transports }),
          },
        ]
      : [],
  )
}

/** A step: what the browser is to ask one of the account's passkeys. Nothing is stored. @throws no_passkey */
export async function askForPasskey(tx: Transaction, deps: FactorDeps, userId: UserId, use: ChallengeFor) {
  const known = await passkeysOf(tx, deps, userId)
  if (known.length === 0) throw refusal('no_passkey')
  return askToProve(relyingPartyOf(deps.config.frontendUrl), newChallenge(deps, use), 'preferred', known)
}

/** What the browser is to ask whatever passkey it has for us: it says who it is. Nothing is stored. */
export const askForAnyPasskey = (deps: Pick<FactorDeps, 'keys' | 'clock' | 'config'>) =>
  askToProve(relyingPartyOf(deps.config.frontendUrl), newChallenge(deps, SIGN_IN), 'required', [])

export const SIGN_IN: ChallengeFor = { purpose: 'sign_in', boundTo: [] }
