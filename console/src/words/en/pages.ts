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
  invalid_redirect_uri: {
    title: 'The application is not set up correctly',
    text: 'It asked to return to an address that is not registered for it. Tell whoever runs the application.',
  },
  invalid_client: {
    title: 'This application is not known here',
    text: 'It was deleted, or its settings name another service. Tell whoever runs the application.',
  },
  unauthorized_client: {
    title: 'The application may not do this',
    text: 'It asked for a sign-in in a way that it is not set up for. Tell whoever runs the application.',
  },
  invalid_scope: {
    title: 'The application asked for too much',
    text: 'It asked for nothing that it may have. Tell whoever runs the application.',
  },
  interaction_not_found: {
    title: 'This sign-in is over',
    text: 'It was finished, maybe in another tab, or it waited too long. Open the application and sign in from there once more.',
  },
  logout_not_found: {
    title: 'This sign-out is over',
    text: 'It was finished, or it waited too long. Sign out from your account menu, or start again from the application.',
  },
  unknown_provider: {
    title: 'This link does not belong here',
    text: 'It names an identity provider that is not part of this service. Open the application and sign in from there.',
  },
  server_error: {
    title: 'Something went wrong on our side',
    text: 'Open the application and try again; if it stays, tell your administrator.',
  },
  temporarily_unavailable: {
    title: 'The service is busy',
    text: 'Wait a moment, then open the application and try again.',
  },
  sso_unexpected: { title: 'This sign-in was not started here', text: 'Start again from the sign-in page.' },
}

const unknownCause = { title: 'Something went wrong', text: 'The page you came from could not finish what it started.' }

export const pageWords = {
  cause: (code: string | undefined) => (code && causes[code]) || unknownCause,
  requestAbout: 'Give this number to your administrator; it leads to the entry in the log.',
  code: 'Code',
  mismatch: {
    received: 'Asked for',
    registered: (application: string) => `Registered for ${application}`,
    noneRegistered: 'Nothing yet.',
    difference: {
      scheme: 'They differ by http and https.',
      host: 'They differ by the host.',
      loopback: 'localhost and 127.0.0.1 are two addresses: register the one that the application uses.',
      port: 'They differ by the port.',
      slash: 'They differ by the slash at the end.',
      case: 'They differ by capital letters.',
      query: 'They differ by what follows the question mark.',
      path: 'They differ by the path.',
      none: 'It is registered by now: try again from the application.',
    },
    onlyYours:
      'Register an address only if you know it as yours: whoever receives people there can act as the application.',
    fix: 'Fix in settings',
    signInToSee: 'You administer this application? Sign in, and open it again: you will see both addresses here.',
  },
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
