interface Cause {
  title: string
  text: string
}

const ASK = 'Ask an administrator of your team.'

/** Why a sign-in by a provider came to nothing, to whoever signs in; what administrators need stands on the provider's own page. */
const causes: Record<string, Cause> = {
  sso_state_invalid: {
    title: 'This sign-in is over',
    text: 'It took longer than ten minutes, was finished already, or was begun in another browser. Begin once more.',
  },
  sso_provider_changed: {
    title: 'Sign in once more',
    text: 'An administrator changed this way of signing in while you were on it.',
  },
  sso_provider_disabled: {
    title: 'This way of signing in is off',
    text: `It was switched off for your team. Use another way, or ask one of its administrators.`,
  },
  sso_provider_not_found: {
    title: 'This way of signing in is gone',
    text: 'It was removed. Begin at the sign-in page, or ask an administrator of your team.',
  },
  sso_provider_orphaned: {
    title: 'This way of signing in is out of order',
    text: 'Whoever set it up may no longer do so. An administrator of your team has to save its settings once more.',
  },
  sso_provider_unreachable: {
    title: 'The sign-in provider does not answer',
    text: `It could not be reached, or said something else than expected. Wait a moment and try again; if it stays, tell an administrator of your team.`,
  },
  sso_token_invalid: {
    title: 'The answer of the provider was not accepted',
    text: `What it said of you failed a check. An administrator of your team finds every check on the provider's page.`,
  },
  sso_sign_in_too_old: {
    title: 'Sign in at the provider anew',
    text: `What you want to open asks for a recent sign-in, and the provider brought an older one, or did not say when it was. Sign out at the provider and begin once more; if it stays, tell an administrator of your team.`,
  },
  sso_idp_initiated: {
    title: 'Sign-ins begin here',
    text: 'The provider sent you without being asked, which your team does not allow. Begin at the sign-in page.',
  },
  sso_subject_unstable: {
    title: 'The provider does not say who you are',
    text: `It names you differently at each sign-in. An administrator of your team can have it send a name that lasts.`,
  },
  sso_run_not_found: {
    title: 'This test is over',
    text: `Begin another one on the provider's page.`,
  },
  sso_access_denied: {
    title: 'The provider did not let you in',
    text: `You cancelled there, or are not assigned to this service at the provider. Try again, or ask an administrator of your team.`,
  },
  sso_email_missing: {
    title: 'The provider did not send your email address',
    text: `Without it nobody knows who you are here. An administrator of your team can name the attribute that has it.`,
  },
  sso_email_unverified: {
    title: 'Your email address is not verified there',
    text: `The provider does not vouch that the address is yours. Verify it there, or ask an administrator of your team.`,
  },
  sso_domain_not_allowed: {
    title: 'Your email domain may not sign in this way',
    text: 'The team has opened it to certain domains only. Use your work address, or ask an administrator of your team.',
  },
  sso_not_provisioned: {
    title: 'You are not in this team yet',
    text: 'The provider vouched for you, and the team takes nobody in by itself. Ask one of its administrators to invite you.',
  },
  sso_member_suspended: { title: 'You are suspended in this team', text: ASK },
  session_replacement_over: {
    title: 'This sign-in is over',
    text: 'It waited for your confirmation for ten minutes, or has ended. You are still signed in as before. To sign in through the provider, begin once more.',
  },
  sso_unexpected: { title: 'This sign-in was not started here', text: 'Start again from the sign-in page.' },
  account_suspended: { title: 'This account is suspended', text: ASK },
  team_suspended: { title: 'This team is suspended', text: 'Ask one of its owners.' },
  sign_in_denied: {
    title: 'The rules of your team do not let you in',
    text: 'Not from here, or not now. Ask one of its administrators.',
  },
  not_a_member: { title: 'You are not in this team', text: 'Ask one of its administrators to invite you.' },
  role_protected: {
    title: 'This way of signing in does not open your role',
    text: 'Whoever set it up may do less than you. Sign in another way; then save the provider once more yourself.',
  },
  limit_reached: {
    title: 'The team is full',
    text: 'It has as many members as it can have. Ask one of its administrators.',
  },
  rate_limited: { title: 'Too many attempts', text: 'Wait a few minutes and try again.' },
}

const unknownCause: Cause = {
  title: 'The sign-in did not work',
  text: 'Try again; if it stays, give the number below to an administrator of your team.',
}

/** The page to which a provider sends people back. */
export const callbackWords = {
  cause: (code: string): Cause => (Object.hasOwn(causes, code) ? causes[code] : undefined) ?? unknownCause,
  onTheWay: 'Signing you in…',
  toReport: 'Opening the report…',
  replacement: {
    title: 'Replace your session?',
    lead: 'A sign-in through a provider would replace the session of this browser. If you did not start it, keep your session.',
    current: 'You are signed in as',
    next: 'The provider signs you in as',
    who: (email: string, team: string) => `${email} (${team})`,
    keep: 'Keep my session',
    replace: 'Replace session',
  },
  again: 'Back to sign in',
  requestAbout: 'Give this number to an administrator of your team; it leads to the entry in the log.',
  testEnded: 'The test sign-in has ended',
  testEndedLead: 'Nobody was signed in by it. Its report is where it was begun: on the page of the sign-in provider.',
  home: 'Go to the start page',
} as const
