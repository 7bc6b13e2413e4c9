/** Causes that other parts of the service send people to /error with. */
const causes: Record<string, { title: string; text: string }> = {
  invalid_token: { title: 'This link no longer works', text: 'It was used before or has expired. Ask for a new one.' },
  access_denied: {
    title: 'Access was refused',
    text: 'The sign-in was cancelled, or you may not use this application.',
  },
  not_a_member: { title: 'You are not in this team', text: 'Ask an administrator of the team to invite you.' },
  rate_limited: { title: 'Too many attempts', text: 'Wait a few minutes and try again.' },
  invalid_request: {
    title: 'The application asked in a wrong way',
    text: 'Its request cannot be answered. Tell whoever runs the application.',
  },
  redirect_uri_mismatch: {
    title: 'The application is not set up correctly',
    text: 'It asked to return to an address that is not registered for it. Tell whoever runs the application.',
  },
  sso_unexpected: { title: 'This sign-in was not started here', text: 'Start again from the sign-in page.' },
}

const unknownCause = { title: 'Something went wrong', text: 'The page you came from could not finish what it started.' }

export const pageWords = {
  cause: (code: string | undefined) => (code && causes[code]) || unknownCause,
  requestAbout: 'Give this number to your administrator; it leads to the entry in the log.',
  code: 'Code',
  home: 'Go to the start page',
  notFoundTitle: 'Page not found',
  notFoundLead: 'There is nothing at this address. It may have moved, or the link may be incomplete.',
  crashTitle: 'This page has a fault',
  crashLead: 'It stopped working. Reload it; if that does not help, tell your administrator what you did last.',
  reload: 'Reload the page',
  wrongHostTitle: 'Wrong address',
  wrongHostText: (actual: string, expected: string) =>
    `You opened ${actual}, but this service is configured for ${expected}. Signing in works there only.`,
  wrongHostOpen: (expected: string) => `Open ${expected}`,
  wrongHostAdmin: (actual: string) =>
    `You run this service? If people should use this address, set BASE_URL to ${actual} and start it again.`,
} as const
