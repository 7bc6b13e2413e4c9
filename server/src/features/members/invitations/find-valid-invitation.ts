import type { Clock } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { InvitationId, TeamId, UserId } from '../../../platform/ids.js'
import { permissionsOf } from '../../permissions/index.js'
import { isHomeTeam, teamError } from '../../teams/index.js'
import { showsOwnProfile } from '../confirmed.js'
import { isCoveredBySetterOrEditor } from '../delegation/setter-authority.js'
import { rejection } from '../errors.js'

/** A pending invitation with its team and its inviter's current role. */
export interface PendingInvitation {
  id: InvitationId
  email: string
  role: string
  expiresAt: Date
  /** Time of the last mail. */
  sentAt: Date
  team: { id: TeamId; name: string; slug: string; logoUrl: string | null; primaryColor: string | null; status: string }
  /** Null if the account was deleted; without the email address while it is unverified. */
  inviter: { email: string | null; name: string | null; role: string | null } | null
}

const HAS_TOKEN = '(i.token_hash = $1 OR i.earlier_token_hashes @> ARRAY[$1]::bytea[])'

const findPending = namedQuery<PendingInvitation, [Buffer, Date]>(
  'invitations.find_pending',
  `SELECT i.id, i.email, i.role, i.expires_at AS "expiresAt", i.updated_at AS "sentAt",
     jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'logoUrl', o.logo_url, 'primaryColor', o.primary_color, 'status', o.status) AS team,
     CASE WHEN u.id IS NOT NULL THEN jsonb_build_object(
       'email', CASE WHEN u.email_verified_at IS NOT NULL OR ${isHomeTeam('i.organization_id', 'u.email')} THEN u.email END,
       'name', nullif(concat_ws(' ', coalesce(m.first_name, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.first_name END), coalesce(m.last_name, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.last_name END)), ''),
       'role', CASE WHEN u.status = 'active' AND m.status = 'active'
         AND ${isCoveredBySetterOrEditor('i.temporary_set_by', 'm.role', 'i.organization_id')} THEN m.role END) END AS inviter
   FROM invitations i
   JOIN organizations o ON o.id = i.organization_id
   LEFT JOIN users u ON u.id = i.invited_by
   LEFT JOIN memberships m ON m.user_id = i.invited_by AND m.organization_id = i.organization_id
   WHERE ${HAS_TOKEN} AND i.status = 'PENDING' AND i.expires_at > $2`,
)

/**
 * Returns the invitation with this token; undefined if it is unknown, accepted, revoked or expired. It is only valid while its inviter may
 * grant the role. Runs in the caller's transaction.
 * @throws team_suspended, invitation_withdrawn
 */
export async function findValidInvitation(
  tx: Transaction,
  clock: Clock,
  token: string,
): Promise<PendingInvitation | undefined> {
  const [invitation] = await tx.run(findPending, [tokenHash(token), clock.now()])
  if (!invitation) return undefined
  if (invitation.team.status !== 'ACTIVE') throw teamError('team_suspended')
  if (!mayGrant(invitation)) throw rejection('invitation_withdrawn')
  return invitation
}

function mayGrant({ inviter, role }: PendingInvitation): boolean {
  if (!inviter?.role) return false
  const permissions = permissionsOf(inviter.role)
  return permissions.has('members:write') && [...permissionsOf(role)].every((permission) => permissions.has(permission))
}

const lockByTokenHash = namedQuery<{ organization_id: TeamId; invited_by: UserId | null }, [Buffer]>(
  'invitations.lock_pending',
  `SELECT i.organization_id, i.invited_by FROM invitations i WHERE ${HAS_TOKEN} FOR NO KEY UPDATE`,
)
const lockInviterRole = namedQuery<never, [TeamId, UserId]>(
  'invitations.lock_inviter',
  'SELECT role FROM memberships WHERE organization_id = $1 AND user_id = $2 FOR SHARE',
)

/** Locks the invitation and the inviter's role until the transaction ends. Runs in the caller's transaction, which has locked the team. */
export async function lockInvitationByToken(tx: Transaction, token: string): Promise<void> {
  const [row] = await tx.run(lockByTokenHash, [tokenHash(token)])
  if (row?.invited_by) await tx.run(lockInviterRole, [row.organization_id, row.invited_by])
}
