/**
 * Members: who belongs to which team, with which role, and what the team writes about them.
 *
 * Lives here: memberships, and the `/organizations` rows, which need both the team and its members. Not here: the person
 * (identities), groups within a team (groups), signing in to a team (accounts).
 * Tables: memberships, team_seats, invitations. Errors: not_a_member, last_admin, user_not_found, user_not_managed, member_not_found,
 * already_a_member, external_id_taken, invitation_not_found, invitation_closed, invitation_withdrawn. Audit: organization.created, .updated,
 * .suspended, .reactivated, member.added, .joined, .invited, .role_changed, invitation.resent, .revoked (accepted: accounts).
 */
export { addMembers } from './add-members.js'
export { closeInvitations } from './close-invitations.js'
export { enterTeam } from './enter-team.js'

export { MEMBER_ERRORS, refusal as memberRefusal } from './errors.js'
export { findMember, findMembership, lockMembership } from './find-membership.js'
export { invitationNames } from './invitation-names.js'
export { lockByToken, revokeInvitationsBy, updateInvitation, type WaitingInvitation } from './invitation-repository.js'
export { keepAnAdmin } from './keep-an-admin.js'
export { MEMBER_MAILS } from './mails.js'
export { managesUser } from './manages-user.js'
export { memberAddresses, membersMatching } from './member-addresses.js'
export { openInvitation } from './open-invitation.js'
export { permissionsOfSaver } from './permissions-of-saver.js'
export { profileFault } from './profile-fault.js'
export { recordRole } from './record-role.js'
export {
  addMember,
  belongsSomewhere,
  countsElsewhere,
  countsSomewhere,
  type DirectoryProfile,
  deleteMembership,
  dropUncounted,
  isLastAdminSomewhere,
  lockMembers,
  lockTeamsOf,
  type Membership,
  memberOfEitherId,
  noteTeamUse,
  type OpenTeam,
  openTeamsOf,
  releaseSuspended,
  setAsideShared,
  type TeamProfile,
  teamsOnlyOf,
  updateMembership,
} from './repository.js'
export { memberRoutes } from './routes.js'
export { type Seats, seatsOf } from './seats-of.js'
export { invitations, memberships } from './tables.js'
