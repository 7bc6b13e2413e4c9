/**
 * Authentication: sign-in methods, registration, recovery, onboarding, the own account, and the acceptance of invitations.
 *
 * - `pipeline/`: the steps that every sign-in runs (select the team, score the risk, evaluate policies, require a factor).
 * - `sign-in/`: the methods (password, directory, mailed link, passkey), sign-out, and the switch to another team.
 * - `second-factor/`: MFA challenges, reauthentication, and the removal of all factors.
 * - `limits/`: lockout of accounts, rate limits of sign-ins per source, and the queue of sign-ins. Not the limits of mails
 *   (`platform/mail/mailer.ts`).
 * - `mails.ts`: the mails of all of these, such as the magic link and the password reset.
 * - `registration/`, `recovery/`, `onboarding/`, `own-account/`, `account-deletion/`, `invitations/` (their acceptance).
 *
 * A sign-in method verifies the user and calls `signIn`. Not here: passwords (passwords), API tokens (access-tokens), factors (mfa), providers (sso),
 * sessions and their tokens (sessions), invitations before their acceptance (members).
 * Tables: none. Errors: invalid_credentials, account_suspended, sign_in_denied, email_taken, account_exists, sign_up_not_allowed, wrong_account,
 * already_onboarded, setup_secret_required, last_owner_of_teams. Audit: user.*, instance.onboarded, organization.created, organization.deleted,
 * member.added, member.removed, invitation.accepted, invitation.revoked.
 */
import type { Module } from '../../platform/module.js'
import type { RoleDeps } from '../members/index.js'
import { deletionJob } from './account-deletion/complete-deletions.js'
import type { AccountDeps } from './deps.js'
import { ACCOUNT_ERRORS } from './errors.js'
import { invitationRoutes } from './invitations/routes.js'
import { createSignInQueue } from './limits/sign-in-queue.js'
import { ACCOUNT_MAILS } from './mails.js'
import { createAdmin, createAdminLink } from './onboarding/admins-by-operator.js'
import { onboardingRoutes } from './onboarding/routes.js'
import { createSetupLink, type SetupHint } from './onboarding/setup-link.js'
import { changeEmailJob } from './own-account/email-change.js'
import { mailData } from './own-account/own-mails.js'
import { ownAccountRoutes, passwordRoutes } from './own-account/routes.js'
import { endTemporaryJob } from './recovery/end-temporary-of.js'
import { sendLinkJobs } from './recovery/request-link.js'
import { recoveryRoutes } from './recovery/routes.js'
import { registrationRoutes } from './registration/routes.js'
import { factorProofRoutes } from './second-factor/routes.js'
import { signInRoutes } from './sign-in/routes.js'

export type { AccountDeps, Asserted, SignInRequest, VerifyByDirectory } from './deps.js'
export {
  admitSource,
  countSourceFailure,
  countUnverified,
  logForUnverified,
  uncountUnverified,
} from './limits/sign-in-limits.js'
export type { SetupHint } from './onboarding/setup-link.js'
export { assessSignInRisk } from './pipeline/score-risk.js'
export { signIn } from './pipeline/sign-in.js'
export type { Challenge, SignInOutcome } from './pipeline/sign-in-step.js'
export { endTemporaryAbove } from './recovery/end-temporary-credentials.js'
export { endTemporaryOf } from './recovery/end-temporary-of.js'
export { logOutCaller } from './sign-in/log-out.js'

/** What the operator can do outside of HTTP. */
export interface AdminAppointment {
  /** Returns how to appoint the first administrator; undefined if there is one. The start of the service prints it. */
  createSetupLink: () => Promise<SetupHint | undefined>
  createAdmin: (admin: Parameters<typeof createAdmin>[1]) => ReturnType<typeof createAdmin>
  createAdminLink: (adminEmail?: string) => ReturnType<typeof createAdminLink>
}

/** Creates the module, and the dependencies with which later modules run the sign-in pipeline. */
export function createAuthentication(
  given: Omit<AccountDeps, 'signInQueue'> & RoleDeps,
): Module & AdminAppointment & { accounts: AccountDeps } {
  // Bounds the share of the hash queue that sign-ins to one account can occupy.
  const accounts = { ...given, signInQueue: createSignInQueue(Math.ceil(given.config.hashQueue / 4)) }
  return {
    routes: [
      registrationRoutes,
      signInRoutes,
      recoveryRoutes,
      passwordRoutes,
      onboardingRoutes,
      invitationRoutes,
      factorProofRoutes,
      ownAccountRoutes,
    ].flatMap((routesOf) => routesOf(accounts)),
    jobs: [...sendLinkJobs(accounts), changeEmailJob(accounts), deletionJob(accounts), endTemporaryJob(accounts)],
    errors: ACCOUNT_ERRORS,
    mails: ACCOUNT_MAILS,
    accountData: mailData(accounts.db),
    accounts,
    createSetupLink: () => createSetupLink(accounts),
    createAdmin: (admin) => createAdmin(accounts, admin),
    createAdminLink: (adminEmail) => createAdminLink(accounts, adminEmail),
  }
}
