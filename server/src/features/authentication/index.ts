/**
 * Authentication: sign-in methods, registration, recovery, onboarding, the own account, and the acceptance of invitations.
 *
 * - `pipeline/`: the steps that every sign-in runs (select the team, score the risk, evaluate policies, require a factor).
 * - `sign-in/`: the methods (password, directory, mailed link, passkey), sign-out, and the switch to another team.
 * - `second-factor/`: MFA challenges, reauthentication, and the removal of all factors.
 * - `limits/`: lockout of accounts, rate limits of sign-ins per source, and the queue of sign-ins.
 * - `mails.ts`: the mails of all of these, such as the magic link and the password reset.
 * - `registration/`, `recovery/`, `onboarding/`, `own-account/`, `invitations/` (their acceptance).
 *
 * A sign-in method verifies the user and calls `signIn`. Not here: passwords and API tokens (credentials), factors (mfa), providers (sso),
 * sessions and their tokens (sessions), invitations before their acceptance (members).
 * Tables: none. Errors: invalid_credentials, account_suspended, sign_in_denied, email_taken, account_exists, sign_up_not_allowed, wrong_account,
 * already_onboarded, setup_secret_required. Audit: user.*, instance.onboarded, organization.created, organization.deleted,
 * member.added, member.removed, invitation.accepted, invitation.revoked.
 */
export type { AccountDeps, Asserted, SignInRequest } from './deps.js'
export { ACCOUNT_ERRORS } from './errors.js'
export {
  admitSource,
  clearFailures,
  clearUnverified,
  countSourceFailure,
  countUnverified,
  logForUnverified,
} from './limits/sign-in-limits.js'
export { createSignInQueue } from './limits/sign-in-queue.js'
export { ACCOUNT_MAILS } from './mails.js'
export { changeEmailJob } from './own-account/request-email-change.js'
export { ownAccountRoutes } from './own-account/routes.js'
export { assessSignInRisk } from './pipeline/score-risk.js'
export { signIn } from './pipeline/sign-in.js'
export type { Challenge, SignInOutcome } from './pipeline/sign-in-step.js'
export { endTemporaryAbove, endTemporaryOf } from './recovery/end-temporary-credentials.js'
export { sendLinkJobs } from './recovery/request-link.js'
export { accountRoutes } from './routes.js'
export { factorProofRoutes } from './second-factor/routes.js'
export type { DirectoryProof, VerifyByDirectory } from './sign-in/directory-proof.js'
export { logOutCaller } from './sign-in/log-out.js'
