/**
 * Second factors: authenticator apps (TOTP, RFC 6238), passkeys (WebAuthn) and backup codes.
 *
 * Lives here: enrolling, renaming and removing them, and judging what somebody presents: a code, a backup code, the answer of a passkey.
 * Not here: when one is asked for and what a right one opens (accounts), passwords (credentials).
 * Tables: factors, totp_secrets, passkeys, backup_codes, answered_challenges, adaptive_users. Errors: mfa_invalid, mfa_expired,
 * passkey_invalid, passkey_exists, no_passkey, mfa_not_enabled, mfa_required_here, factor_not_found, too_many_factors. Audit: factor.*,
 * user.adaptive_mfa_changed.
 */
export { askForAnyPasskey, askForPasskey, SIGN_IN } from './ask-for-passkey.js'
export { requireUnrestrictedFactor, requireVerifiedFor, verifiedSession } from './change-factors.js'
export { readCode, type TypedCode } from './code-text.js'
export type { FactorDeps } from './deps.js'
export { MFA_ERRORS, rejection as mfaError } from './errors.js'
export { continueEnrolled, type FactorType, isAdaptive } from './factor-repository.js'
export { MFA_MAILS, sendFactorMail } from './mails.js'
export type { ChallengeFor } from './passkey-challenge.js'
export { purgeFactors } from './purge-factors.js'
export { rejectWhereRequired } from './remove-factor.js'
export { rewrapTotpSecrets } from './rewrap-secrets.js'
export { factorRoutes } from './routes.js'
export { AssertionCredential, PasskeyRequest, Success, TypedCodeText } from './schema.js'
export {
  endTemporaryFactors,
  removeFactors,
  removeFactorsNotCreatedIn,
  resetFactorsInTeam,
  settleFactors,
} from './settle-factors.js'
export {
  existsInTeam,
  type FactorScope,
  hasVerified,
  requiresFactor,
  scopeOf,
  scopeOfProof,
  unrestrictedFactors,
  type ValidFactor,
  validFactors,
} from './valid-factors.js'
export { type UsedFactor, verifyCode } from './verify-code.js'
export { verifyPasskey } from './verify-passkey.js'
