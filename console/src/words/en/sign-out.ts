interface Cause {
  title: string
  text: string
}

/** What is left open by a sign-out that others were told of, by the code with which the browser came back. */
const causes: Record<string, Cause> = {
  sso_logout_incomplete: {
    title: 'Perhaps not at your provider',
    text: 'It says that it did not end all of its sessions. Sign out there as well, or close the browser.',
  },
  sso_logout_invalid: {
    title: 'Perhaps not at your provider',
    text: 'What it answered could not be accepted. Sign out there as well, or close the browser.',
  },
  saml_logout_incomplete: {
    title: 'Perhaps not in every application',
    text: 'An application that was told of it did not end its session. Sign out there as well, or close the browser.',
  },
}

const unknownCause: Cause = {
  title: 'Perhaps not everywhere',
  text: 'Not everybody who was told of it confirmed it. Sign out of what you opened with this account, or close the browser.',
}

/** Leaving, and where it leads. */
export const signOutWords = {
  cause: (code: string): Cause => (Object.hasOwn(causes, code) ? causes[code] : undefined) ?? unknownCause,

  loggedOutTitle: 'You are signed out',
  loggedOutLead: (instance: string) => `Your session at ${instance} has ended on this browser, in all its tabs.`,
  loggedOutMore:
    'Applications that you opened with it may know you a while longer: sign out there too, if that matters.',
  signInAgain: 'Sign in again',

  title: (instance: string) => `Sign out of ${instance}?`,
  lead: 'This ends your session in all tabs of this browser.',
  asked: (application: string) => `${application} asks for it. This ends your session in all tabs of this browser.`,
  over: 'The application that asked for this waited too long. You can sign out all the same; you will not be taken back to it.',
  submit: 'Sign out',
  stay: 'Stay signed in',
} as const
