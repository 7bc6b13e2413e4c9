/**
 * Members: the memberships of users in teams, with their roles and the profiles that teams store.
 *
 * In this module: memberships, the `/organizations` endpoints (they need a team and its members), `invitations` (sending, listing and
 * revoking them, their lifetime and mail), `joining` (join, confirm, block),
 * `roles`, `delegation` (credentials that depend on another member's permissions). Not here: the account (users), groups (groups), sign-in and the
 * acceptance of invitations (authentication).
 * Tables: memberships, team_seats, removed_members, temporary_setters, joint_setters, sign_in_editors, blocked_teams, invitations. Errors: not_a_member,
 * last_admin, user_not_found, user_not_managed, member_not_found, already_a_member, membership_confirmed, external_id_taken,
 * invitation_not_found, invitation_closed, invitation_withdrawn. Audit: organization.created, .updated, .suspended, .reactivated,
 * .owner_appointed, member.added, .joined, .confirmed, .invited, .role_changed, user.team_blocked, .team_unblocked, invitation.resent,
 * .revoked.
 */
import { labelsOf } from '../../platform/db/labels.js'
import { purgeJob } from '../../platform/jobs/purge-job.js'
import type { Module } from '../../platform/module.js'
import { memberData } from './account-data.js'
import type { MemberDeps } from './deps.js'
import { MEMBER_ERRORS } from './errors.js'
import { MEMBER_MAILS } from './invitations/mails.js'
import { memberAddresses } from './member-addresses.js'
import { MEMBER_RETENTION } from './purge.js'
import { memberRoutes } from './routes.js'
import { invitations } from './tables.js'

export {
  disregardEarlierFactors,
  isWithoutAccountFactor,
  recordingTeamFactors,
  verifiedNoOwnFactor,
} from './account-factor-sql.js'
export { addMember, addMembers } from './add-members.js'
export {
  byDefault,
  confirmedOf,
  grantsUnrestricted,
  isAdmitted,
  isConfirmed,
  reachesRestricted,
  showsEmailAsVerified,
  showsOwnProfile,
} from './confirmed.js'
export {
  defaultTeams,
  isPasswordOlderThan,
  logTeamOf,
  type OpenTeam,
  openTeamOf,
  recordTeamUse,
  signInTeamsOf,
  type TeamOfUser,
} from './default-team.js'
export { endJointEditors, originsWith, readOrigin, writeOrigin } from './delegation/joint-setters.js'
export { currentEpochOfEditor, permissionsOfEditor } from './delegation/saved-permissions.js'
export {
  isColumnSetByMember,
  isCovered,
  isCoveredBySetter,
  isCoveredBySetterOrEditor,
  isSetByMember,
  setterCovers,
} from './delegation/setter-authority.js'
export { atEndWithSetters } from './delegation/setter-lock.js'
export { endSignInEditors, findSignInEditor, originOfSignIn, revokeSignInEditor } from './delegation/sign-in-editors.js'
export { deleteTemporarySetter, recordTemporarySetters, temporaryUsersAbove } from './delegation/temporary-setters.js'
export type { MemberDeps, VerifiedDomains } from './deps.js'
export { rejection as memberError } from './errors.js'
export {
  findMember,
  findMembers,
  findMembership,
  lockActiveMember,
  lockMembers,
  lockMembership,
  type Membership,
  memberOfEitherId,
  requireSameRole,
} from './find-member.js'
export {
  findValidInvitation,
  lockInvitationByToken,
  type PendingInvitation,
} from './invitations/find-valid-invitation.js'
export { closeInvitations, revokePending, updateInvitation } from './invitations/repository.js'
export { activateMembership, type ConfirmingAct, confirmMembership } from './joining/confirm-membership.js'
export { clearRemoval, isLimitedMember, recordLimits, recordRemoval, wasRemoved } from './joining/removed-members.js'
export { presentWaiting, WaitingTeamShown } from './joining/schema.js'
export { isBlocked, type WaitingTeam, waitingTeamsOf } from './joining/waiting-teams.js'
export {
  mailRecipients,
  memberAddresses,
  memberByEmail,
  membersMatching,
  verifiedSenderEmail,
} from './member-addresses.js'
export { createMoveMemberships, type MoveMemberships } from './move-memberships.js'
export { EXPORTED_TEAM, OWN_TEAMS } from './own-teams.js'
export { profileViolation } from './profile-violation.js'
export { MEMBER_RETENTION } from './purge.js'
export {
  belongsElsewhere,
  clearMemberships,
  type DirectoryProfile,
  deleteMembership,
  deleteUnconfirmedMemberships,
  deleteUnusedMemberships,
  isConfirmedElsewhere,
  isConfirmedSomewhere,
  lockTeamsOf,
  type OwnMembership,
  ownMemberships,
  type TeamProfile,
  teamsOnlyOf,
  unconfirmSharedTeams,
  updateMembership,
  writeRole,
} from './repository.js'
export { hasAdmin, requireRemainingAdmin, successorOf, teamsWithoutOtherAdmin } from './roles/ownership.js'
export { type EndTemporaryOf, type RoleDeps, recordRole } from './roles/record-role.js'
export { invitations, MEMBER_SOURCES, type MemberSource, memberships } from './tables.js'
export { type Seats, seatsOf } from './team-seats.js'

export const createMembers = (deps: MemberDeps): Module => ({
  routes: memberRoutes(deps),
  jobs: [purgeJob(deps, 'members.purge', MEMBER_RETENTION)],
  errors: MEMBER_ERRORS,
  mails: MEMBER_MAILS,
  accountData: memberData(deps.db),
  labels: { user: memberAddresses, invitation: labelsOf(invitations, invitations.email) },
})
