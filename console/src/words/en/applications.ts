/** Kinds of applications, as they are chosen when one is made. */
const kinds = {
  spa: {
    name: 'Single-page app',
    text: 'Runs in the browser alone. It can keep no secret; PKCE protects its sign-ins.',
    example: 'http://localhost:5173/callback',
  },
  web: {
    name: 'Web server',
    text: 'Renders pages on a server, which keeps a secret.',
    example: 'http://localhost:8080/callback',
  },
  native: {
    name: 'Native or command line',
    text: 'Installed on a phone or a computer. It can keep no secret; PKCE protects its sign-ins.',
    example: 'http://127.0.0.1:8765/callback',
  },
  machine: {
    name: 'Machine to machine',
    text: 'A program that acts for itself. Nobody signs in; it gets tokens with its secret.',
    example: '',
  },
  agent: {
    name: 'AI agent',
    text: 'Acts by itself for people. What it may do is narrow, marked as its own and can be stopped.',
    example: 'http://localhost:8080/callback',
  },
  saml: {
    name: 'SAML',
    text: 'Takes SAML 2.0 assertions, as many business applications do.',
    example: '',
  },
} as const

/** What an application that exists is, as far as its settings tell. */
const found = {
  saml: 'SAML',
  agent: 'AI agent',
  machine: 'Machine to machine',
  public: 'App without a secret',
  web: 'Web server',
} as const

const grants: Record<string, { title: string; about: string }> = {
  authorization_code: { title: 'Sign people in', about: 'Authorization code, with PKCE' },
  refresh_token: { title: 'Renew tokens', about: 'Refresh tokens, when offline_access is asked for and allowed' },
  client_credentials: { title: 'Act for itself', about: 'Client credentials: nobody signs in; needs a secret' },
  'urn:ietf:params:oauth:grant-type:token-exchange': {
    title: 'Exchange tokens',
    about: 'It hands in somebody’s token and gets one to act for them, which names both and allows no more (RFC 8693)',
  },
  'urn:ietf:params:oauth:grant-type:device_code': {
    title: 'Sign in on devices without a keyboard',
    about: 'The person confirms on another device (RFC 8628)',
  },
}

const scopes: Record<string, string> = {
  openid: 'Who somebody is: needed for every sign-in',
  profile: 'Names and language',
  email: 'The email address, and whether it is confirmed',
  offline_access: 'Refresh tokens: stay connected while the person is away',
}

const authMethods: Record<string, string> = {
  client_secret_basic: 'Secret, in the Authorization header or in the body',
  client_secret_post: 'Secret, in the body or in the Authorization header',
  private_key_jwt: 'A signature by its own key (private_key_jwt)',
  none: 'None: it is public, and PKCE protects its sign-ins',
}

// By name and not by property: reading one would count as an effect of this module, and every page would load its words.
const NO_FRAGMENT = 'Leave out # and what follows it.'
const NO_USER_INFO = 'Leave out the user name and password before the host.'
const TOO_LONG = 'This is too long: at most 2,000 characters.'

const uriFaults = {
  characters: 'Leave out spaces and backslashes.',
  relative: 'Write the whole address, with https:// and a host.',
  wildcard: 'Wildcards are not allowed. Add each address by itself.',
  fragment: NO_FRAGMENT,
  userInfo: NO_USER_INFO,
  plainHttp: 'Use https://. Plain http:// is only for this computer (localhost).',
  scheme: 'Use https://. Own schemes, as com.example.app:, are only for apps without a secret.',
  notForWeb: 'Use https:// (or http://localhost): the service itself calls this address.',
  inPlace: 'This scheme is never followed.',
  long: TOO_LONG,
} as const

export type UriFault = keyof typeof uriFaults

const resourceFaults = {
  characters: 'Leave out spaces and all else that does not stand in an address; write it encoded, such as %20.',
  relative: 'Write the whole address, such as https://api.example.com.',
  fragment: NO_FRAGMENT,
  userInfo: NO_USER_INFO,
  scheme: 'Use https://, http://, urn: or a scheme of your own with a dot in it, as com.example.billing:.',
  ours: 'This is an address of the service itself. Its own user info needs no entry here.',
  long: TOO_LONG,
} as const

export type ResourceFault = keyof typeof resourceFaults

export const applicationWords = {
  kinds,
  found,
  uriFaults,
  grant: (type: string) => (Object.hasOwn(grants, type) ? grants[type] : undefined) ?? { title: type, about: '' },
  scope: (scope: string) => (Object.hasOwn(scopes, scope) ? scopes[scope] : undefined) ?? 'Its own',
  authMethod: (method: string) => (Object.hasOwn(authMethods, method) ? authMethods[method] : undefined) ?? method,

  title: 'Applications',
  lead: 'What people of this team sign in to with their account here.',
  add: 'Add application',
  empty: 'Nothing here yet. Add an application, and try a sign-in to it two minutes later.',
  filter: 'Find by name',
  noMatch: 'Nothing matches.',
  clearFilter: 'Clear the filter',
  everyone: 'Everyone in the team',
  assigned: 'Assigned people only',
  made: 'Added',
  needs: (permission: string) =>
    `Your role in this team does not open this page: it needs ${permission}. Ask one of the team’s administrators.`,
  forbiddenTitle: 'Not for your role',
  readOnly: 'Your role may look at applications, not change them.',

  newTitle: 'Add an application',
  newLead: 'Two questions, then it can be tried.',
  kind: 'What kind of application is it?',
  name: 'Name',
  nameHint: 'People see it when they sign in.',
  nameMissing: 'Give it a name.',
  nameLong: 'At most 100 characters.',
  redirects: 'Redirect addresses',
  redirectsHint: 'Where people come back to after signing in, compared letter by letter. More can be added later.',
  redirect: (place: number) => `Redirect address ${place}`,
  suggest: (uri: string) => `Use ${uri}`,
  create: 'Create application',
  secretTitle: (application: string) => `${application} has a secret`,
  secretLabel: 'client secret',
  rotatedTitle: (application: string) => `The new secret of ${application}`,

  notFound: 'No such application',
  notFoundLead: 'It was deleted, or it is in another team.',
  toList: 'All applications',
  tabs: {
    start: 'Start',
    settings: 'Settings',
    credentials: 'Credentials',
    access: 'Access',
    tokens: 'Tokens',
    saml: 'SAML',
    try: 'Try it',
    danger: 'Delete',
  },
  tabsLabel: (application: string) => `Pages of ${application}`,
  tryNow: 'Try it now',

  tryPanel: 'See it work',
  tryPanelAbout: 'Go through a real sign-in to this application, with every request and token explained.',
  values: 'What your application needs',
  valuesAbout: 'These three values are all that most libraries ask for.',
  issuer: 'Issuer',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  secretShownOnce: 'Shown once, when it was made.',
  secretLost: 'Lost it? Make a new one',
  secretNone: 'None: the application is public, and PKCE takes its place.',
  env: 'As a .env file',
  envPlaceholder: 'paste-the-secret-here',
  code: 'Code',
  codeAbout: 'It reads the values above from the environment.',
  stack: 'Your stack',
  endpoints: 'Addresses',
  endpointsAbout: 'Most libraries find them all by the first one.',
  discovery: 'Discovery',
  authorize: 'Authorization',
  token: 'Token',
  userinfo: 'User info',
  jwks: 'Keys (JWKS)',
  endSession: 'Sign-out',
  introspection: 'Introspection',
  revocation: 'Revocation',

  general: 'General',
  description: 'Description',
  optional: 'optional',
  descriptionHint: 'For the administrators of this team.',
  descriptionLong: 'At most 500 characters.',
  logo: 'Logo address',
  logoHint: 'An https:// address of a square picture. People see it when they sign in.',
  logoWrong: 'Use an https:// address.',
  launch: 'Start address',
  launchHint: 'People open the application by it from the list in their account.',
  resources: 'APIs it may call (resources)',
  resourcesHint: 'Access tokens are made out to one of them when the application asks so (RFC 8707).',
  resource: (place: number) => `API ${place}`,
  resourceFaults,
  proofs: 'Proof of possession (DPoP)',
  proofsLegend: 'What its token requests must prove',
  dpop: {
    requireDpop: {
      title: 'Demand DPoP',
      about:
        'Every token is bound to a key of the application: stolen alone, it opens nothing. Its library must support RFC 9449.',
    },
    dpopNonceEnabled: {
      title: 'Demand a nonce of the service',
      about:
        'Proofs must hold a value that the service gave lately, so that none can be made in advance. One more exchange now and then.',
    },
  },
  addresses: 'Addresses',
  postLogout: 'After signing out',
  postLogoutHint: 'Where people may be taken after signing out. Without one, the redirect addresses serve.',
  postLogoutRow: (place: number) => `Sign-out address ${place}`,
  backchannel: 'Back-channel sign-out',
  backchannelHint: 'The service calls it when somebody’s session ends.',
  permissions: 'What it may do',
  scopes: 'What it may ask for (scopes)',
  grantTypes: 'How it gets tokens (grant types)',
  grantsMissing: 'Choose at least one.',
  secretNeeded: 'Needs a secret, and this application is public',

  authPanel: 'How it proves itself',
  authMethodName: 'Method',
  secretSince: 'Secret since',
  rotate: 'Make a new secret',
  rotatePanel: 'New secret',
  rotateAbout: 'When the old one may have leaked, or is lost.',
  rotateTitle: 'Make a new secret?',
  rotateBreaks: (since: string) => [
    `The secret made ${since} stops working at once: sign-ins and renewals fail until the application has the new one.`,
    'Tokens that the application got for itself (client credentials) end.',
    'People who are signed in to the application stay so, until it next talks to this service.',
  ],
  rotateOverlaps: (since: string, overlap: string) => [
    `The secret made ${since} works on beside the new one for ${overlap}. Give the application the new one in that time.`,
    'Whoever has the old one can use it until then: if it leaked, choose “not at all”.',
  ],
  rotateForgets: 'The secret before it, which still works, stops at once.',
  keepPrevious: 'Keep the previous secret for',
  overlap: { '0': 'not at all', '3600': 'one hour', '86400': '24 hours' },
  previousTitle: 'Two secrets work',
  previousText: (until: string) => `The previous secret works until ${until}`,
  previousEnd: 'End now',
  previousEndTitle: 'End the previous secret?',
  previousEndText:
    'Wherever the application still has the previous secret, its sign-ins and renewals fail. Tokens that the application has for itself end, whichever secret they were got with; what people allowed stays.',
  previousEnded: 'The previous secret does not work any more.',
  rotateVerb: 'Make new secret',

  agentPanel: 'This is an AI agent',
  agentAbout:
    'It acts by itself for people. Whoever is asked for access sees that it is one, and every entry in the log names it.',
  agentExchanges:
    'It acts for people by token exchange (RFC 8693): it hands in the token of a person and gets one that names both of them, is short-lived and allows no more than the person allowed. Every entry in the log names the agent and the person.',
  agentRuns: 'May act',
  agentStop: 'Stop agent',
  agentStart: 'Start again',
  agentStopTitle: (agent: string) => `Stop ${agent}?`,
  agentStopText:
    'All its tokens end at once, for everybody, and it gets no new ones. Its settings and what people allowed stay, so that it can be started again.',
  agentStopped: (agent: string) => `${agent} was stopped.`,
  agentStarted: (agent: string) => `${agent} may act again.`,
  agentStoppedTitle: 'This agent is stopped',
  agentStoppedSince: 'Stopped',
  agentStoppedText: 'It has no tokens and gets none. Once started again it must ask for new ones.',
  stoppedBadge: 'Stopped',

  accessPanel: 'Who may use it',
  accessEveryone: (team: string) => `Everyone in ${team} may use it.`,
  accessAssigned: (people: number, groups: number) =>
    people + groups === 0
      ? 'Nobody may use it: it is open only to people it was assigned to, and there are none.'
      : `Only ${count(people, 'person', 'people')} and ${count(groups, 'group', 'groups')} that it was assigned to may use it.`,
  assignmentSwitch: 'Only people it was assigned to',
  assignmentSwitchHint: 'Saved at once. The first assignment turns it on by itself.',
  accessSaved: 'Saved.',
  closeTitle: 'Nobody could use it',
  closeText: 'Nobody was assigned yet, so nobody could sign in to it until somebody is.',
  closeVerb: 'Close it',
  assignedPanel: 'Assigned',
  assignedAbout: 'People and groups are assigned by the API; their pages come with the next versions.',
  assignedUsers: (n: number) => count(n, 'person', 'people'),
  assignedGroups: (n: number) => count(n, 'group', 'groups'),
  nobody: 'Nobody yet',
  showIds: 'Show ids',
  idOf: 'id',

  dangerPanel: 'Delete this application',
  dangerAbout: 'It cannot be brought back.',
  deleteTitle: (application: string) => `Delete ${application}?`,
  deleteGoes: (application: string) => [
    `Nobody can sign in to ${application} any more.`,
    'All tokens it was given end at once.',
    'Its settings, its client ID and its secret are gone; a new application gets new ones.',
  ],
  deleteVerb: 'Delete application',
  deleted: (application: string) => `${application} was deleted.`,
} as const

function count(n: number, one: string, many: string) {
  return n === 1 ? `one ${one}` : `${n} ${many}`
}
