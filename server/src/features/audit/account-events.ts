import type { AuditAction } from './actions.js'

/**
 * Security events caused by the user: sign-ins, failed attempts, credential changes, revoked sessions. A partial index has this list as its
 * condition, so a change needs a migration.
 */
export const EVENTS_BY_USER = [
  'api_token.created',
  'api_token.revoked',
  'application.consent_withdrawn',
  'application.consented',
  'factor.backup_codes_renewed',
  'factor.clone_suspected',
  'factor.enrolled',
  'factor.removed',
  'session.ended',
  'session.others_ended',
  'session.refresh_reused',
  'user.adaptive_mfa_changed',
  'user.challenge_failed',
  'user.data_exported',
  'user.deletion_cancelled',
  'user.deletion_requested',
  'user.device_forgotten',
  'user.email_changed',
  'user.email_verified',
  'user.link_requested',
  'user.locked',
  'user.login',
  'user.logout',
  'user.mfa_disabled',
  'user.password_changed',
  'user.password_reset',
  'user.password_set',
  'user.reauthenticated',
  'user.reclaimed',
] as const satisfies readonly AuditAction[]

/** Events on the account caused by another user (`resource` is `user:<id>`). They have a separate partial index. */
export const EVENTS_BY_OTHERS = [
  'member.role_changed',
  'user.activated',
  'user.email_changed',
  'user.factors_reset',
  'user.locked_down',
  'user.password_given',
  'user.sessions_ended',
  'user.suspended',
  'user.temporary_credentials_ended',
] as const satisfies readonly AuditAction[]

/** An action of `EVENTS_BY_USER` or `EVENTS_BY_OTHERS`. */
export type AccountEvent = (typeof EVENTS_BY_USER)[number] | (typeof EVENTS_BY_OTHERS)[number]

/** SQL: whether the action is in the list. The query must use this exact condition, or the planner can't use the partial index. */
export const isOneOf = (action: string, actions: readonly AuditAction[]): string =>
  `${action} IN (${actions.map((name) => `'${name}'`).join(', ')})`
