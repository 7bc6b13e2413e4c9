import { defineMail } from '../../platform/mail/letter.js'
import { UNVERIFIED_SENDER } from '../../platform/mail/quoted-team.js'
import { INVITATION_LIFE } from './invitation-repository.js'

/** What a role may do, so that whoever is invited knows what they accept. The console has the same names. */
const ROLE_WORDS: Record<string, string> = {
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
  INVITATION_LIFE,
  ({ url, team, role, inviter }, { name }) => ({
    // No text of a team or user: a subject is read before anything says where it comes from.
    subject: `You are invited to a team on ${name}`,
    heading: 'You are invited to a team',
    paragraphs: [
      `${inviter ?? UNVERIFIED_SENDER} invites you to the team ${team} on ${name}. Your role there: ${ROLE_WORDS[role] ?? role}.`,
      'The link works once, for the next 7 days.',
    ],
    action: { label: 'Look at the invitation', url },
    notes: [
      `If you do not know ${inviter ?? 'the team'} or do not want to join, you can ignore this mail: nothing changes.`,
      'Never pass the link on: it was made for your address.',
    ],
  }),
)

export const MEMBER_MAILS = [invitationMail]
