/**
 * Members: who belongs to which team, with which role, and what the team writes about them.
 *
 * Lives here: memberships, and the `/organizations` rows, which need both the team and its members. Not here: the person
 * (identities), groups within a team (groups), signing in to a team (accounts).
 * Tables: memberships, team_seats, removed_members, temporary_setters, blocked_teams, invitations. Errors: not_a_member, last_admin, user_not_found, user_not_managed, member_not_found,
 * already_a_member, membership_confirmed, external_id_taken, invitation_not_found, invitation_closed, invitation_withdrawn. Audit: organization.created, .updated,
 * .suspended, .reactivated, .owner_appointed, member.added, .joined, .confirmed, user.team_blocked, .team_unblocked, member .invited, .role_changed, invitation.resent, .revoked (accepted: accounts).
 */
export { isWithoutAccountFactor, verifiedNoOwnFactor } from './account-factor.js'
export { addMember, addMembers } from './add-members.js'
export { closeInvitations } from './close-invitations.js'
export { type Confirming, confirmMembership } from './confirm-membership.js'
export {
  byDefault,
  confirmedOf,
  isAdmitted,
  isConfirmed,
  opensUnrestricted,
  reachesRestricted,
  SHOWS_OWN,
  shownAsVerified,
  showsOwn,
} from './confirmed.js'
export {
  defaultTeams,
  logTeamOf,
  noteTeamUse,
  type OpenTeam,
  openTeamOf,
  signInTeamsOf,
  type TeamOfUser,
} from './default-team.js'
export type { VerifiedDomains } from './deps.js'
export { enterTeam } from './enter-team.js'

export { MEMBER_ERRORS, rejection as memberError } from './errors.js'
export { findMember, findMembers, findMembership, lockMembership } from './find-membership.js'
export { invitationNames } from './invitation-names.js'
export { lockByToken, revokePending, updateInvitation, type WaitingInvitation } from './invitation-repository.js'
export { hasOtherAdmin, keepAnAdmin } from './keep-an-admin.js'
export { mailRecipients } from './mail-recipients.js'
export { MEMBER_MAILS } from './mails.js'
export { memberAddresses, membersMatching } from './member-addresses.js'
export { openInvitation } from './open-invitation.js'
export { hasAdmin, lockActiveMember, successorOf } from './ownership.js'
export { permissionsOfSaver, savedNow } from './permissions-of-saver.js'
export { profileFault } from './profile-fault.js'
export { type EndTemporaryOf, type RoleDeps, recordRole } from './record-role.js'
export { clearRemoval, recordRemoval, recordSuspensions, wasRemoved } from './removed-members.js'
export {
  belongsElsewhere,
  belongsSomewhere,
  type DirectoryProfile,
  deleteMembership,
  dropUnconfirmed,
  isConfirmedElsewhere,
  isConfirmedSomewhere,
  lockMembers,
  lockTeamsOf,
  type Membership,
  memberByEmail,
  memberOfEitherId,
  moveMemberships,
  setAsideShared,
  type TeamProfile,
  teamsOnlyOf,
  updateMembership,
  writeRole,
} from './repository.js'
export { memberRoutes } from './routes.js'
export { type Seats, seatsOf } from './seats-of.js'
export {
  endSignInEditor,
  findSignInEditor,
  isCovered,
  isCoveredByEditor,
  isSetByMember,
  signInEditorOf,
} from './sign-in-editors.js'
export { invitations, memberships } from './tables.js'
export { deleteTemporarySetters, lockSetter, recordTemporarySetter, temporaryUsersOf } from './temporary-setters.js'
export { verifiedSender } from './verified-sender.js'
export { presentWaiting, WaitingTeamShown } from './waiting-team-schema.js'
export { isBlocked, type WaitingTeam, waitingTeamsOf } from './waiting-teams.js'
