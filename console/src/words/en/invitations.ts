/** The page where somebody is invited to a team. */
export const invitationWords = {
  title: (team: string) => `Join ${team}`,
  lead: (inviter: string, team: string) => `${inviter} invites you to the team ${team}.`,
  inviter: ({ name, email }: { name: string | null; email: string | null }) => {
    if (!email) return `${name ?? 'A user'} (email address not verified)`
    return name ? `${name} (${email})` : email
  },
  loading: 'Invitation',
  role: 'Your role',
  address: 'Your email',
  until: 'Good until',
  meaning: 'The team’s administrators will see your name and address, and decide which applications you can use.',
  firstName: 'First name',
  lastName: 'Last name',
  password: 'Choose a password',
  submit: 'Create account and join',
  join: 'Join the team',
  as: 'Signed in as',
  haveAccount: 'Already have an account?',
  signIn: 'Sign in to join',
  known: (email: string) => `${email} has an account already. Sign in as that address, then join.`,
  signInAs: 'Sign in as that address',
  other: (current: string, invited: string) =>
    `You are signed in as ${current}, and this invitation is for ${invited}.`,
  switch: 'Sign out and use the other account',
  spentTitle: 'This invitation no longer works',
  spentLead:
    'It was used before, was taken back, is older than a week, or a newer one was sent. Ask whoever invited you.',
  withdrawnLead:
    'Whoever invited you has left the team or may no longer do so. Ask somebody who administers the team to send it once more.',
  suspendedLead: 'The team is suspended for now. Your invitation waits: try it later.',
  missingLead:
    'For your safety this page forgets the invitation when it is reloaded. Open the link from your email again.',
} as const
