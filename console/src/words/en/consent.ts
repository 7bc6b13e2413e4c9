/** What a scope lets an application do, to whoever is asked for it. `undefined` for one that only the application knows. */
const scopes: Record<string, { title: string; text: string }> = {
  openid: { title: 'Know who you are', text: 'A lasting identifier of your account here' },
  profile: { title: 'See your profile', text: 'Your name and your language' },
  email: { title: 'See your email address', text: 'And whether it is confirmed' },
  phone: { title: 'See your phone number', text: 'And whether it is confirmed' },
  address: { title: 'See your postal address', text: 'As it stands in your profile' },
  groups: { title: 'See your groups', text: 'Those of this team that you are in' },
  offline_access: {
    title: 'Stay connected while you are away',
    text: 'It keeps what you allow here also while you are not using it',
  },
}

export function scopeWords(scope: string): { title: string; text: string } | undefined {
  return Object.hasOwn(scopes, scope) ? scopes[scope] : undefined
}

export const consentWords = {
  title: (application: string) => `Allow ${application}?`,
  titleMore: (application: string) => `${application} asks for more`,
  windowTitle: 'Allow access',
  lead: (application: string, team: string) => `${application} of ${team} wants to sign you in. It asks to:`,
  leadMore: (application: string, team: string) =>
    `You allowed ${application} of ${team} some of this before. What is marked is new.`,
  isNew: 'New',
  ownScope: 'A permission of the application itself',
  ownScopeNamed: (scope: string) => `A permission of the application itself: ${scope}`,
  takeBack: 'You can take this back at any time, under',
  takeBackLink: 'Applications in your account',
  agent: 'AI agent',
  agentText: 'It acts by itself with what you allow, without asking you each time.',
  goesTo: 'Then you go to',
  thisComputer: (host: string) => `a program on this computer (${host})`,
  thisDevice: (scheme: string) => `an app on this device (${scheme})`,
  signedInAs: 'Signed in as',
  notYou: 'Not you?',
  allow: 'Allow',
  deny: 'Deny',
  onTheWay: (application: string) => `Signing you in to ${application}…`,
  unnamed: 'the application',
  factorTitle: 'One more step',
  factorLead: (application: string) => `Your team asks for a second factor before you continue to ${application}.`,
  joinTitle: (team: string) => `Join ${team}?`,
  joinLead: (application: string, team: string) =>
    `${team} added you to its members and wants to know who you are before you continue to ${application}. Once you join, the team's application receives your name and email address. If you do not know the team, leave this page.`,
  join: 'Join and continue',
  factorPasskey: 'Use a passkey of this account.',
  factorCode: 'Enter the code that your authenticator app shows.',
  factorOther: 'Use another way',
  backTo: (application: string) => `Back to ${application}`,
  another: 'Use another account',
  handedOver: (application: string) => `Go on in ${application}`,
  handedOverLead: 'The application opens by itself. You can close this page.',

  refused: {
    application_access_denied: {
      title: (application: string) => `You may not use ${application}`,
      text: (application: string, email: string) =>
        `${application} is open to its team, or to those it was assigned to, and ${email} is not among them. Ask an administrator of the team for access.`,
    },
    team_sign_in_required: {
      title: (application: string) => `${application} is in another team`,
      text: (_: string, email: string) =>
        `You signed in as ${email} by the way of one team, which opens that team alone. Sign in with your own password or a mailed link.`,
    },
    wrong_user: {
      title: (application: string) => `${application} expects another account`,
      text: (application: string, email: string) =>
        `You are signed in as ${email}, and ${application} asked for somebody else.`,
    },
    wrong_browser: {
      title: () => 'This was started in another browser',
      text: (application: string) =>
        `For your safety a sign-in is finished where it began. Go on in that browser, or open ${application} here and sign in from there.`,
    },
    interaction_not_found: {
      title: () => 'This sign-in is over',
      text: (application: string) =>
        `It was finished, maybe in another tab, or it waited too long. Open ${application} and sign in from there once more.`,
    },
    not_followable: {
      title: (application: string) => `${application} is not set up correctly`,
      text: (application: string) =>
        `The address that ${application} wants you to return to cannot be opened from here. Tell whoever runs it.`,
    },
  },
  failedTitle: (application: string) => `Signing in to ${application} did not work`,
} as const
