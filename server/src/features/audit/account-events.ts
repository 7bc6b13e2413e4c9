import type { AuditAction } from './actions.js'

/**
 * Security events of which the user is the actor: sign-ins, failures against their credentials, changes of credentials, ends of sessions.
 * An index covers exactly these actions: a change needs a migration.
 */
export const OWN_EVENTS = [
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

/** Security events that others cause, with the resource `user:` and the user's ID. Like `OWN_EVENTS`, with an index of their own. */
export const EVENTS_OF_OTHERS = [
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

/** An action of `OWN_EVENTS` or `EVENTS_OF_OTHERS`. */
export type AccountEvent = (typeof OWN_EVENTS)[number] | (typeof EVENTS_OF_OTHERS)[number]

/** SQL: whether the action is one of the list. The indexes have the same condition, which a query must repeat literally. */
export const isOneOf = (action: string, actions: readonly AuditAction[]): string =>
  `${action} IN (${actions.map((name) => `'${name}'`).join(', ')})`
