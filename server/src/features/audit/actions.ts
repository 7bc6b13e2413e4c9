/**
 * Every action that an audit entry can name, as `resource.verb`, with what it means. The one list: `docs/audit-events.md` is
 * checked against it, and an action that is not here does not compile.
 */
export const AUDIT_ACTIONS = {
  'access.denied': 'Somebody asked for something that they may not do, and got 403 (result DENIED)',
  'instance.onboarded': 'The first super-admin of the instance was named',
  'instance.updated': 'The settings of the instance were changed',
  'organization.created': 'A team was made',
  'organization.deleted': 'A team and everything in it was deleted',
  'organization.audit_removed':
    'The entries of a deleted team were removed; metadata has their number and the last hash of their chain',
  'member.added': 'A user became a member of a team',
  'user.created': 'An account was made',
  'user.deleted': 'An account was deleted',
  'user.login': 'A sign-in; FAILURE when it was refused',
  'user.logout': 'A session was ended by its user',
  'user.locked': 'Too many failed sign-ins: the account is closed for a while',
  'user.link_requested': 'A link by mail was asked for and sent (metadata.kind says which)',
  'user.email_verified': 'The address of an account was proven',
  'user.reclaimed':
    'The owner of an address proved it on an account that nobody had proven: its password and sessions were removed',
  'user.disowned': 'The owner of an address said that they did not make the account; it was deleted',
  'user.password_set': 'An account that had no password got one',
  'user.password_changed': 'A password was changed by its user; FAILURE when the current password was wrong',
  'user.password_reset': 'A password was set by a link sent by mail',
  'user.reauthenticated': 'A signed-in user proved who they are once more; FAILURE when the proof was wrong',
  'session.team_switched': 'A session went over to another team of its user',
  'session.ended': 'A session was ended from the list of sessions',
  'session.others_ended': 'A user ended all other sessions of theirs',
  'session.refreshed': 'A refresh token was exchanged for its successor',
  'session.refresh_reused': 'A refresh token was presented again after its successor was in use: the session was ended',
} as const

export type AuditAction = keyof typeof AUDIT_ACTIONS
