import { DAY } from '../../../platform/clock.js'
import { defineMail } from '../../../platform/mail/mail-kind.js'
import { UNVERIFIED_SENDER } from '../../../platform/mail/quoted-team.js'
import { INVITATION_LIFETIME } from './repository.js'

/** The role names of the console, so that invited users know what they accept. */
const ROLE_LABELS: Record<string, string> = {
  OWNER: 'owner',
  SUPER_ADMIN: 'super admin',
  ORG_ADMIN: 'team admin',
  APP_ADMIN: 'application admin',
  USER_ADMIN: 'user admin',
  GROUP_MEMBERSHIP_ADMIN: 'group admin',
  HELP_DESK_ADMIN: 'help desk',
  MOBILE_ADMIN: 'mobile admin',
  READ_ONLY_ADMIN: 'read-only admin',
  REPORT_ADMIN: 'reports',
  API_ACCESS_MANAGEMENT_ADMIN: 'API access admin',
  MEMBER: 'member',
  VIEWER: 'viewer',
}

export const invitationMail = defineMail<{ url: string; team: string; role: string; inviter: string | null }>(
  'invitation',
  INVITATION_LIFETIME,
  ({ url, team, role, inviter }, { name }) => ({
    // The subject contains no value that a team or user chose, to prevent phishing.
    subject: `You are invited to a team on ${name}`,
    heading: 'You are invited to a team',
    paragraphs: [
      `${inviter ?? UNVERIFIED_SENDER} invites you to the team ${team} on ${name}. Your role there: ${ROLE_LABELS[role] ?? role}.`,
      `The link works once, for the next ${INVITATION_LIFETIME / DAY} days.`,
    ],
    action: { label: 'View the invitation', url },
    notes: [
      `If you do not know ${inviter ?? 'the team'} or do not want to join, you can ignore this email: nothing changes.`,
      'Never forward the link: it is valid for your email address only.',
    ],
  }),
)

export const MEMBER_MAILS = [invitationMail]
