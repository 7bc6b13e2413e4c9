/**
 * Accounts: how somebody comes in, and out. The doors of sign-in (registration, password, mailed link), the dispatcher that
 * every door ends in, recovery, proof of the address, onboarding, and the statistic of active users.
 *
 * Lives here: the order of the steps of a sign-in. A door proves the person and calls `signIn`; the steps choose the team, weigh how
 * unusual it looks, ask the team's rules, and ask for a second factor; what answers that comes back to the same steps. Not here: what is proven with (credentials, mfa, sso), what is handed out (sessions).
 * Tables: none. Errors: invalid_credentials, account_suspended, sign_in_denied, email_taken, account_exists, sign_up_not_allowed, wrong_account,
 * already_onboarded, setup_secret_required. Audit: user.*, instance.onboarded, organization.created, organization.deleted,
 * member.added, member.removed, invitation.accepted, invitation.revoked.
 */
export type { AccountDeps, Asserted, SignInRequest } from './deps.js'
export { ACCOUNT_ERRORS } from './errors.js'
export {
  admitSource,
  clearFailures,
  clearUnproven,
  countSourceFailure,
  countUnproven,
  logOfOutsider,
} from './limits/sign-in-limits.js'
export { createSignInTurns } from './limits/sign-in-queue.js'
export { ACCOUNT_MAILS } from './mails.js'
export { changeEmailJob } from './own-account/request-email-change.js'
export { ownAccountRoutes } from './own-account/routes.js'
export { scoreTimeOfDay } from './pipeline/score-risk.js'
export { signIn } from './pipeline/sign-in.js'
export type { Challenge, SignInOutcome } from './pipeline/sign-in-step.js'
export { endTemporaryAbove, endTemporaryOf } from './recovery/end-temporary-credentials.js'
export { sendLinkJobs } from './recovery/request-link.js'
export { accountRoutes } from './routes.js'
export { factorProofRoutes } from './second-factor/routes.js'
export type { DirectoryProof, ProveByDirectory } from './sign-in/directory-proof.js'
export { logOutCaller } from './sign-in/log-out.js'
