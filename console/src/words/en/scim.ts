const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

const states: Record<string, string> = {
  active: 'Works',
  expired: 'Ended',
  revoked: 'Revoked',
  orphaned: 'Opens nothing',
}

/** The page of directories that write by SCIM. */
export const scimWords = {
  connect: 'Connect a directory',
  connectAbout:
    'It makes, changes and deactivates the people of this team, and fills its groups, by SCIM 2.0. It takes a few minutes.',
  connectAnother: 'How to connect a directory',
  which: 'Which directory is it?',
  make: 'Make a token',
  tokenGoes: 'A token of this team: make one under Tokens, where it is shown once.',
  stepsOf: (name: string) => `What to do in ${name}`,
  stepsOfOther: 'What to do there',

  tokens: 'Tokens',
  tokensAbout:
    'By a token a directory writes to this team, and opens nothing else. Give each directory one of its own.',
  noTokens: 'No token yet. A directory needs one to write to this team.',
  noLiveTokens: 'No token works any more, so no directory can write to this team.',
  endedTokens: (n: number) => `${count(n, 'token', 'tokens')} that can be used no more`,
  state: (status: string) => (Object.hasOwn(states, status) ? states[status] : undefined) ?? status,
  endsSoon: 'Ends soon',
  orphaned: 'Its creator no longer has permission to create tokens. Create another one.',
  madeBy: (email: string) => `Made by ${email}`,
  madeByYou: 'Made by you',
  lastUsed: 'Last used',
  neverUsed: 'Never used',
  ends: 'Ends',
  ended: 'Ended',
  endsNever: 'Does not end',
  revoke: 'Revoke',
  revokeLabel: (name: string) => `Revoke ${name}`,
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeText:
    'Whatever directory uses it is refused from its next request on: nobody new comes, nothing is changed, and whoever leaves there stays active here. People and groups that came by it stay.',
  wasUsed: (when: string) => `It was last used ${when}.`,
  wasNeverUsed: 'It was never used.',
  revoked: (name: string) => `${name} was revoked.`,

  newTitle: 'Make a token',
  name: 'Name',
  nameHint: 'What the directory is called in your lists.',
  nameMissing: 'Give it a name.',
  nameLong: 'At most 100 characters.',
  end: 'Ends',
  endHint: 'The directory stops when it ends: put another one in before.',
  endChoice: { never: 'It does not end', '90': 'After 90 days', '180': 'After 180 days', '365': 'After a year' },
  endOther: 'In a number of days',
  days: 'Days',
  daysWrong: 'A whole number from 1 to 3650.',
  secretTitle: (name: string) => `The token of ${name}`,
  secretLabel: 'SCIM token',

  contact: 'First request',
  waiting: (name: string) => `Waiting for the first request of ${name}`,
  waitingText: 'This lights up by itself as soon as the directory sends something, as when it tests the connection.',
  waitingHelp: 'Nothing comes?',
  waitingReasons: [
    'A directory with a wrong token, or with the address of another team, is refused before it is noted: copy both once more.',
    'It has to reach this address from where it runs: a service that only your own network can reach is not found by a directory in the cloud.',
    'Many directories send nothing until the connection is tested or somebody is assigned.',
  ],
  cameTitle: (name: string) => `${name} is connected`,
  cameText: 'Its first request came:',
  cameRefusedTitle: (name: string) => `${name} reached us, and was refused`,
  refresh: 'Refresh',

  came: 'What came',
  cameAbout: 'Who and what directories have made or changed by SCIM and is in the team now.',
  people: 'People',
  groups: 'Groups',
  peopleCount: (n: number, deactivated: number) =>
    deactivated === 0
      ? count(n, 'person', 'people')
      : `${count(n, 'person', 'people')}, ${deactivated.toLocaleString('en')} of them deactivated`,
  groupCount: (n: number) => count(n, 'group', 'groups'),
  lastRequest: 'Last request',
  nothingCame: 'Nobody came yet. Assign people to the app in your directory, and let it push its groups.',
  next: 'Next: who may use which application',
  nextAbout:
    'An application is open to everybody in the team, or only to the people and groups that were assigned to it. Its page Access shows which.',
  accessOf: (name: string) => `Access of ${name}`,
  openToAll: 'Everyone in the team',
  assignedOnly: 'Assigned people and groups only',
  allApplications: 'All applications',
  addApplication: 'Add the first application',
  noApplicationsHere: 'There is no application yet. Whoever may add one finds the groups there.',

  requests: 'Last requests',
  requestsAbout:
    'The last hundred of all directories of the team, however old they are; a newer one takes the place of the oldest. Neither the texts that were searched for nor what was sent are kept.',
  noRequests: 'Nothing yet. Every request of a directory with a working token shows here, with what it was answered.',
  noRefusals: 'None of the last requests was refused.',
  show: 'Which requests',
  showAll: (n: number) => `All (${n})`,
  showRefused: (n: number) => `Refused (${n})`,
  request: 'Request',
  when: 'When',
  by: 'Token',
  answer: 'Answer',
  granted: (status: number) => `Done, ${status}`,
  refused: (status: number) => `Refused, ${status}`,
  failed: (status: number) => `Failed, ${status}`,
  told: 'The directory was told:',
  everyRequest: (n: number) => `Show all ${n}`,
  refreshed: 'The list is up to date.',
} as const
