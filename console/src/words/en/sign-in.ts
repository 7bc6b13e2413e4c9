export const signInWords = {
  title: 'Sign in',
  to: (application: string) => `Sign in to ${application}`,
  toLead: (owner: string) => `With your account at ${owner}.`,
  againLead: (application: string) =>
    `You are signed in, and ${application} wants you to prove once more that it is you.`,
  lead: (instance: string) => `Welcome back to ${instance}.`,
  remember: 'Keep me signed in',
  submit: 'Sign in',
  forgot: 'Forgot password?',
  or: 'or',
  byLink: 'Email me a sign-in link',
  continueWith: (provider: string) => `Continue with ${provider}`,
  takingTo: (provider: string) => `Taking you to ${provider}…`,
  chooseProvider: 'Use single sign-on',
  providers: 'Where do you want to sign in?',
  orPassword: 'Or sign in by your password.',
  noAccount: 'New here?',
  register: 'Create an account',
  haveAccount: 'Already have an account?',
  backToSignIn: 'Back to sign in',
  notSetUp: 'This service has no administrator yet.',
  setUpNow: 'Set it up now',

  registerTitle: 'Create your account',
  registerLead: 'One account for all your teams.',
  registerSubmit: 'Create account',
  registerLimited: 'Only addresses of certain organisations can sign up here.',
  taken: 'There is already an account with this address.',
  takenSignIn: 'Sign in',
  takenLink: 'Email me a link',

  dueTitle: 'Choose a new password',
  dueLead: 'Your password is temporary or too old. Choose your own to go on; other devices will be signed out.',
  dueSubmit: 'Save and go on',
  temporaryPassword: 'Password you just used',

  loggedOutTitle: 'You are signed out',
  loggedOutLead: (instance: string) => `Your session at ${instance} has ended on this browser, in all its tabs.`,
  loggedOutMore:
    'Applications that you opened with it may know you a while longer: sign out there too, if that matters.',
  loggedOutIncomplete:
    'Somewhere else you may still be signed in: an application, or the provider that you signed in by, did not say that it is done. Sign out there too.',
  signInAgain: 'Sign in again',
  logoutTitle: (instance: string) => `Sign out of ${instance}?`,
  logoutLead: 'This ends your session in all tabs of this browser.',
  logoutAsked: (application: string) =>
    `${application} asks for it. This ends your session in all tabs of this browser.`,
  logoutOver:
    'The application that asked for this waited too long. You can sign out all the same; you will not be taken back to it.',
  logoutSubmit: 'Sign out',
  stay: 'Stay signed in',
} as const
