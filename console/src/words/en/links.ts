const minutes = (count: number) => `${count} minutes`

/** Pages around mails: asking for them and arriving from them. */
export const linkWords = {
  askTitle: 'Sign in by email',
  askLead: 'We send you a link that signs you in. No password needed.',
  askSubmit: 'Send the link',

  sentTitle: 'Check your email',
  sentLink: (email: string) => ({
    before: 'If ',
    email,
    after: ` can sign in here, a link is on its way. It works for ${minutes(15)}.`,
  }),
  sentReset: (email: string) => ({
    before: 'If ',
    email,
    after: ` belongs to an account, a link to choose a new password is on its way. It works for ${minutes(30)}.`,
  }),
  sentSetup: (email: string) => ({
    before: 'The link for the first administrator went to ',
    email,
    after: `. It works for ${minutes(15)}.`,
  }),
  hint: 'Nothing there? Look in the spam folder, and check that the address is right.',
  openMail: (provider: string) => `Open ${provider}`,
  resend: 'Send it again',
  resendIn: (seconds: number) => `Send it again in ${seconds} s`,
  resent: 'Sent again. Earlier links still work.',
  otherAddress: 'Use another address',

  verifyTitle: 'Sign in by link',
  verifyLead: 'This link signs you in on this device. It works once.',
  verifySubmit: 'Yes, sign me in',
  verifyNotMe: 'You did not ask for it? Then close this page: without the button nothing happens.',
  spentTitle: 'This link no longer works',
  spentLead: 'It was used before, it has expired, or a newer one was sent.',
  missingTitle: 'Open the link from your email again',
  missingLead: 'For your safety this page forgets the link when it is reloaded.',
  newLink: 'Get a new link',

  cleanedTitle: 'One thing before you go on',
  cleanedLead:
    'This account existed before anyone verified its email address. You have just verified it, so we removed what was created before:',
  cleanedPassword: 'The password was removed.',
  cleanedFactors: (count: number) =>
    count === 1
      ? 'A passkey or authenticator app was removed.'
      : `${count} passkeys and authenticator apps were removed.`,
  cleanedSessions: (count: number) => (count === 1 ? 'One session was ended.' : `${count} sessions were ended.`),
  cleanedTeams: (count: number) =>
    count === 1
      ? 'One team of this account has members, tokens, applications or rules that you may not know. It waits under Teams: join it only if you know it.'
      : `${count} teams of this account have members, tokens, applications or rules that you may not know. They wait under Teams: join one only if you know it.`,
  cleanedNothing: 'There was nothing to remove.',
  cleanedHint: 'If you created the account, continue and set a new password under Security.',
  cleanedGoOn: 'It was me, go on',
  disown: 'I did not create this account',
  disownTitle: 'Delete this account?',
  disownText:
    'The account and what it holds are deleted, unless other teams have added your address: then it stays with them, without passwords and sessions. This cannot be undone.',
  disownVerb: 'Delete account',
  disowned: {
    deleted: {
      title: 'The account is deleted',
      lead: 'Your address is free again. Nobody can sign in with it unless an account is made anew.',
    },
    stays: {
      title: 'What its creator had is removed',
      lead: 'Other teams have added your address, so the account stays with them. It has no password and no sessions. Only you can sign in, with a link that is sent to your address.',
    },
  },

  forgotTitle: 'Forgot your password?',
  forgotLead: 'Enter your address and we send you a link to choose a new one.',
  forgotSubmit: 'Send the link',
  resetTitle: 'Choose a new password',
  resetFor: 'For',
  resetSubmit: 'Save password',
  resetDoneTitle: 'Your password is changed',
  resetDoneLead: 'All devices were signed out. Sign in with the new password.',

  confirmTitle: 'Confirm your address',
  confirmLead: 'Confirm that this address is yours, so that you can use it to get back in.',
  confirmAs: 'Signed in as',
  confirmSubmit: 'Confirm address',
  confirmSignIn: 'Sign in to confirm',
  confirmSignedOut: 'To confirm the address, sign in to the account it was used for.',
  confirmNotMe: 'This was not me',
  confirmedTitle: 'Your address is confirmed',
  confirmedLead: 'You can now get back in by email whenever you need to.',
  wrongAccount: (email: string) => `You are signed in as ${email}, and this link belongs to another account.`,
  switchAccount: 'Sign out and use the other account',
  toAccount: 'Go to your account',

  newAddressTitle: 'Confirm your new address',
  newAddressLead: 'Your account gets the address to which this link was sent.',
  newAddressSignedOut: 'To confirm the new address, sign in to your account with the one that it has now.',
  newAddressSubmit: 'Use the new address',
  newAddressDoneTitle: 'Your address is changed',
  newAddressDoneLead: 'From now on, sign in with the new one. Links that went to the old one no longer work.',

  setupTitle: (instance: string) => `Set up ${instance}`,
  setupLead: 'Make the first administrator. We send a link that signs you in; no password is needed.',
  setupEmail: 'Your email',
  setupSecret: 'Setup secret',
  setupSecretHint: 'The value of SETUP_SECRET in the service’s configuration.',
  setupSecretMissing: 'Enter the setup secret.',
  setupSubmit: 'Create administrator',
  setupDoneTitle: 'This service is set up',
  setupDoneLead: 'It has its first administrator. Sign in to go on.',
  setupOther: 'Or:',
  outboxTitle: 'No mail server is configured',
  outboxText: 'So the mail was written to a file instead. Open the newest one in:',
  outboxLabel: 'folder of the mails',
} as const
