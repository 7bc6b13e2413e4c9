const roles: Record<string, string> = {
  OWNER: 'Owner',
  SUPER_ADMIN: 'Super admin',
  ORG_ADMIN: 'Team admin',
  APP_ADMIN: 'Application admin',
  USER_ADMIN: 'User admin',
  GROUP_MEMBERSHIP_ADMIN: 'Group admin',
  HELP_DESK_ADMIN: 'Help desk',
  MOBILE_ADMIN: 'Mobile admin',
  READ_ONLY_ADMIN: 'Read-only admin',
  REPORT_ADMIN: 'Reports',
  API_ACCESS_MANAGEMENT_ADMIN: 'API access admin',
  ADMIN: 'Admin',
  MEMBER: 'Member',
  VIEWER: 'Viewer',
}

/** A role in words; one that this catalogue does not know yet reads as the service writes it. */
export function roleName(role: string): string {
  return roles[role] ?? role
}

export const teamWords = {
  title: 'Teams',
  lead: 'A team has its own people, applications and rules.',
  panel: 'Your teams',
  current: 'Default',
  makeDefault: 'Make default',
  makeDefaultLabel: (name: string) => `Make default: ${name}`,
  defaultNow: (name: string) => `${name} opens when you sign in.`,
  waiting: {
    title: 'Teams that added you',
    about:
      'Any team can add any email address. Join a team only if you know it. Until then, it sees nothing of your profile. A blocked team sends you no more email.',
    verified: (domain: string) => `Verified domain ${domain}`,
    notVerified: 'Not verified',
    actions: { join: 'Join team', block: 'Block team', unblock: 'Unblock team' },
    actionLabel: (action: string, name: string) => `${action}: ${name}`,
    done: {
      join: (name: string) => `You have joined ${name}.`,
      block: (name: string) => `${name} is blocked.`,
      unblock: (name: string) => `${name} is no longer blocked.`,
    },
    blocked: 'Blocked teams',
    blockedAbout: 'They send you no email and are not offered to you.',
    check: (count: number) =>
      count === 1 ? 'A team added you' : `${count === 10 ? 'Ten or more' : count} teams added you`,
    checkText: 'Join the ones that you know, and block the others.',
    checkAction: 'Review teams',
  },
  create: 'Create a team',
  createAbout: 'You become its administrator.',
  createSubmit: 'Create team',
  name: 'Team name',
  nameMissing: 'Give the team a name.',
  nameHint: 'People see it when they sign in. It can be changed.',
  none: 'You are in no team yet.',
  loading: 'Team',
  notFound: 'No such team',
  notFoundLead: 'There is no team at this address, or you are not a member of it.',
  toTeams: 'Your teams',
} as const
