/**
 * Second factors: authenticator apps (TOTP, RFC 6238), passkeys (WebAuthn) and backup codes.
 *
 * - `totp/`, `passkeys/`, `backup-codes/`: enrollment and verification of each kind.
 *
 * Also the list, names and removal of factors, and which of them are valid in a team (`valid-factors.ts`).
 * Not here: when a factor is required and what a correct one allows (authentication), passwords (credentials).
 * Tables: factors, totp_secrets, passkeys, backup_codes, answered_challenges, adaptive_users. Errors: mfa_invalid, mfa_expired,
 * passkey_invalid, passkey_exists, no_passkey, mfa_not_enabled, mfa_required_here, factor_not_found, too_many_factors. Audit: factor.*,
 * user.adaptive_mfa_changed.
 */
import type { Module } from '../../platform/module.js'
import type { FactorDeps } from './deps.js'
import { MFA_ERRORS } from './errors.js'
import { MFA_MAILS } from './mails.js'
import { purgeFactors } from './purge-factors.js'
import { factorRoutes } from './routes.js'
import { SEALED_TOTP } from './totp/start-totp.js'

export { requireUnrestrictedFactor, requireVerifiedFor, verifiedSession } from './change-factors.js'
export type { FactorDeps } from './deps.js'
export { rejection as mfaError } from './errors.js'
export { type FactorType, isAdaptive, moveEnrollments } from './factor-repository.js'
export { MFA_MAILS, sendFactorMail } from './mails.js'
export type { ChallengeBinding } from './passkeys/passkey-challenge.js'
export { anyPasskeyRequestOptions, passkeyRequestOptions, SIGN_IN } from './passkeys/request-options.js'
export { verifyPasskey } from './passkeys/verify-passkey.js'
export { rejectIfRequired } from './remove-factor.js'
export { AssertionCredential, PasskeyRequest, Success, TypedCodeString } from './schema.js'
export { readCode, type TypedCode } from './typed-code.js'
export {
  endTemporaryFactors,
  removeFactors,
  removeFactorsNotCreatedIn,
  resetFactorsInTeam,
  updateFactorState,
} from './update-factor-state.js'
export {
  existsInTeam,
  type FactorScope,
  hasVerified,
  reauthenticationScope,
  requiresFactor,
  scopeOf,
  unrestrictedFactors,
  type ValidFactor,
  validFactors,
} from './valid-factors.js'
export { type UsedFactor, verifyCode } from './verify-code.js'

export const createMfa = (deps: FactorDeps): Module => ({
  routes: factorRoutes(deps),
  jobs: [purgeFactors(deps)],
  errors: MFA_ERRORS,
  mails: MFA_MAILS,
  sealed: SEALED_TOTP,
})
