import type { Transaction } from '../../../platform/db/database.js'
import { withoutLocation } from '../../../platform/http/actor.js'
import type { OriginId, TeamId, UserId } from '../../../platform/ids.js'
import { API_TOKENS, revokeTokensOf } from '../../access-tokens/index.js'
import type { AuditSubject } from '../../audit/index.js'
import {
  endJointEditors,
  findSignInEditor,
  permissionsOfEditor,
  readOrigin,
  revokePending,
  setterCovers,
} from '../../members/index.js'
import { endTemporaryFactors } from '../../mfa/index.js'
import { originsOf, removeTemporaryPasswords } from '../../passwords/index.js'
import { permissionsOf } from '../../permissions/index.js'
import { endSessions, type TemporaryScope } from '../../sessions/index.js'
import { cancelRunsStartedBy } from '../../user-management/index.js'
import type { AccountDeps } from '../deps.js'

export type EndTemporaryDeps = Pick<AccountDeps, 'audit' | 'clock' | 'revokeDelegated'>

/**
 * Revokes the temporary passwords of a user and everything created in a session that one of them, a provider or a directory started:
 * sessions, passwords, factors, grants, API and SCIM tokens, pending invitations and imports. Providers and directories that were saved in
 * such a session lose their permissions. Records an audit entry in every team where something acted for the user. Runs in the caller's
 * transaction, which has locked the account.
 * @param by limits it to the credentials of these origins in a team. For all teams, their logs do not have the location of the user, who
 *   need not know them
 */
export async function endTemporaryCredentials(
  tx: Transaction,
  deps: EndTemporaryDeps,
  userId: UserId,
  by: TemporaryScope,
  author: AuditSubject,
): Promise<void> {
  const { audit, clock } = deps
  const subject = by === 'anyone' ? { ...author, origin: withoutLocation(author.origin) } : author
  if (by === 'anyone') await endJointEditors(tx, userId)
  // Sessions and tokens first: objects that a concurrent request creates with them are committed before the rest is revoked.
  await endSessions(tx, clock, { user: userId, temporary: by }, 'temporary_ended')
  const apiTokensRevoked = await revokeTokensOf(tx, clock, API_TOKENS, userId, { temporary: by })
  const passwordsRemoved = await removeTemporaryPasswords(tx, userId, by)
  await endTemporaryFactors(tx, deps, userId, by)
  const invitationsRevoked = await revokeInvitations(tx, deps, subject, { inviter: userId, temporary: by })
  const importsCancelled = await cancelRunsStartedBy(tx, deps, userId, { temporary: by })
  const removed = { passwordsRemoved, apiTokensRevoked, invitationsRevoked, importsCancelled }
  const ended = { ...removed, ...(await deps.revokeDelegated(tx, userId, { temporary: by })) }
  for (const teamId of new Set(Object.values(ended).flat())) {
    const counts = Object.entries(ended).map(([kind, teams]) => [kind, teams.filter((id) => id === teamId).length])
    await audit.record(tx, { ...subject, teamId }, 'user.temporary_credentials_ended', {
      resource: `user:${userId}`,
      metadata: Object.fromEntries(counts),
    })
  }
}

/**
 * Revokes pending invitations with an audit entry for each, and returns their teams. The logs of teams other than that of `subject` do not have
 * the location of the user. Runs in the caller's transaction.
 */
export async function revokeInvitations(
  tx: Transaction,
  { clock, audit }: Pick<AccountDeps, 'audit' | 'clock'>,
  subject: AuditSubject,
  which: Parameters<typeof revokePending>[2],
): Promise<TeamId[]> {
  const invitations = await revokePending(tx, clock, which)
  for (const { id, organizationId: teamId } of invitations) {
    const seen = teamId === subject.teamId ? subject : { ...subject, teamId, origin: withoutLocation(subject.origin) }
    await audit.record(tx, seen, 'invitation.revoked', { resource: `invitation:${id}` })
  }
  return invitations.map(({ organizationId }) => organizationId)
}

/**
 * Revokes them in a team where the user gets a role with a permission that the member who set the temporary password does not have. The same
 * applies to sign-ins by a provider or directory whose editor does not have it. Runs in the caller's transaction, which has locked the
 * account.
 */
export async function endTemporaryAbove(
  tx: Transaction,
  deps: EndTemporaryDeps,
  { userId, teamId, role }: { userId: UserId; teamId: TeamId; role: string },
  subject: AuditSubject,
): Promise<void> {
  const above: OriginId[] = []
  for (const id of await originsOf(tx, userId, teamId)) {
    const { editorId } = await readOrigin(tx, id)
    const editor = editorId ? await findSignInEditor(tx, editorId) : undefined
    const isCovered = !editor || covers(await permissionsOfEditor(tx, editor), role)
    if (!isCovered || !(await setterCovers(tx, id, role, teamId))) above.push(id)
  }
  if (above.length > 0) await endTemporaryCredentials(tx, deps, userId, { teamId, origins: above }, subject)
}

/** Returns the permissions that temporary passwords set by a member may grant; those of MEMBER for a former member. */
export const permissionsHeldBy = (role: string | undefined): ReadonlySet<string> => permissionsOf(role ?? 'MEMBER')

/** Returns whether these permissions include all of a role. */
export const covers = (held: ReadonlySet<string>, role: string): boolean =>
  [...permissionsOf(role)].every((permission) => held.has(permission))
