/** Checks of a directory by their stable ids. */
const checks: Record<string, string> = {
  resolve: 'DNS name',
  connect: 'Connection',
  tls: 'TLS',
  bind: 'Bind account',
  base: 'Base DN',
  users: 'Users',
  groups: 'Groups',
  search: 'Search',
}

/** How a check came out; a colour alone would not say it. */
const checkStates: Record<string, string> = {
  ok: 'Right',
  failed: 'Failed',
  skipped: 'Passed over',
  warning: 'Look at it',
}

const profile: Record<string, string> = {
  email: 'Email',
  firstName: 'First name',
  lastName: 'Last name',
  displayName: 'Name in one piece',
  department: 'Department',
  title: 'Title',
  phone: 'Phone',
  locale: 'Language',
  externalId: 'External id',
}

/** The service does not count further in a test. */
const MOST_COUNTED = 10_000

function counted(count: number, one: string, many: string) {
  const more = count >= MOST_COUNTED ? ' or more' : ''
  return `${count.toLocaleString('en')}${more} ${count === 1 ? one : many}`
}

/** The LDAP directory of a team: how it is reached, and whether it can be read. */
export const ldapWords = {
  pages: { settings: 'Settings', runs: 'Syncs', run: 'Sync' },
  toOverview: 'To the LDAP directory',
  readOnly: 'Your role may look at the directory, not change it.',
  optional: 'optional',

  none: 'No directory yet. People and groups can come from Active Directory, OpenLDAP or another LDAP server by themselves.',
  noneReadOnly: 'This team has no LDAP directory. Whoever may change directories can connect one.',
  connect: 'Connect a directory',

  state: 'LDAP directory',
  isOn: 'It is read when you ask or by its schedule.',
  isOff: 'It is switched off: nobody is imported, and nobody signs in by its passwords.',
  on: 'On',
  off: 'Off',
  settings: 'Settings',
  server: 'Server',
  security: 'Connection',
  securityTls: 'Encrypted (LDAPS)',
  securityStartTls: 'Encrypted (StartTLS)',
  securityNone: 'Not encrypted',
  readBelow: 'Read below',
  schedule: 'Schedule',
  lastSync: 'Last sync',
  never: 'Not yet',
  nextSync: 'next',
  signIn: 'Sign-in',
  signInOn: 'By the password of the directory too',
  signInOff: 'Not by the password of the directory',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  turnedOn: 'The directory is on',
  turnedOff: 'The directory is off',
  turnOffTitle: 'Turn the directory off?',
  turnOffText:
    'Nothing is imported until you turn it on again, and people whose only password is that of the directory cannot sign in meanwhile. A sync that goes on ends; what it did stays.',

  every(minutes: number) {
    if (minutes === 0) return 'Only when somebody asks'
    if (minutes % 10_080 === 0) return 'Every week'
    if (minutes % 1440 === 0) return minutes === 1440 ? 'Every day' : `Every ${minutes / 1440} days`
    if (minutes % 60 === 0) return minutes === 60 ? 'Every hour' : `Every ${minutes / 60} hours`
    return `Every ${minutes} minutes`
  },

  newTitle: 'Connect a directory',
  newAbout: 'Test what you write before you save it. Nothing is imported until you start a sync.',
  preset: 'Kind of directory',
  presets: {
    'active-directory': { name: 'Active Directory', text: 'By Microsoft, also Samba' },
    openldap: { name: 'OpenLDAP', text: 'And other servers of LDAP' },
  },
  connection: 'Connection',
  url: 'Address',
  urlHint: 'ldaps:// encrypts from the first byte. Its usual port is 636, that of ldap:// is 389.',
  urlWrong: 'Write an address, as ldaps://ldap.example.com.',
  plain: 'Passwords and people would go over the network in the clear',
  plainText: 'Use an ldaps:// address, or StartTLS.',
  encryption: 'Encryption',
  startTls: 'StartTLS',
  startTlsAbout: 'Begins encryption on an ldap:// connection before anything else is said. For ldaps:// leave it off.',
  startTlsWrong: 'StartTLS is for ldap:// addresses; ldaps:// is encrypted already.',
  ca: 'Certificate of its authority',
  caHint: 'PEM. Only where your own authority issued the certificate of the server.',
  caWrong: 'Paste a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----.',
  chooseFile: 'Choose a file',
  bindDn: 'Read as (bind DN)',
  bindDnHint: 'An account that may read and nothing more. Active Directory takes reader@example.com too.',
  password: 'Password',
  passwordUnchanged: 'Unchanged while this is empty. It is never shown again.',
  passwordOnce: 'Stored encrypted, and never shown again.',
  passwordNeeded: 'Give it once more: the stored one is for the address, name and certificate that it was given for.',
  baseDn: 'Read below (base DN)',
  missing: 'Write this first.',

  what: 'What is read',
  userFilter: 'Filter of people',
  groupFilter: 'Filter of groups',
  filterHint: (usual: string) => `RFC 4515. Empty: ${usual}`,
  pageSize: 'Entries at a time',
  pageSizeHint:
    'From 1 to 1000, and at most 50 groups. Empty: 500 users and 50 groups, or fewer if the server requires it.',
  pageSizeWrong: 'Write a number from 1 to 1000.',
  mapping: 'Attributes',
  mappingAbout:
    'Which attribute fills which field. Empty fields come from the usual attributes; more than one name goes with commas between.',
  mappingUsual: (names: string) => `Usually ${names}`,
  mappingNone: 'Not filled otherwise',
  mappingWrong: (name: string) => `“${name}” is no name of an attribute.`,
  mappingTwice: 'This attribute fills another field already.',
  field: (name: string) => (Object.hasOwn(profile, name) ? (profile[name] as string) : name),

  when: 'When it is read, and what for',
  interval: 'Sync',
  otherInterval: 'At another interval',
  minutes: 'Minutes between two syncs',
  minutesHint: 'From 5 minutes to 10080, which is a week.',
  minutesWrong: 'Write a number from 5 to 10080.',
  signInTitle: 'Sign in by the password of the directory',
  signInAbout:
    'People whom it brought sign in to this team by the password that they have there. Second factors are asked for as always.',
  leavers: 'Who leaves the directory is suspended',
  leaversAbout:
    'At the end of the next sync their sessions and tokens end at once; nothing of theirs is deleted. Who returns is let in again. When more than a tenth of the people or of the groups would go, nobody is suspended and no group is emptied until you have agreed.',
  actsForYou: 'From now on the directory acts by your rights: it changes nobody who may do more than you.',
  save: 'Save',
  saveNew: 'Save and go on',

  test: 'Test',
  testAbout: 'Looks at the directory as a sync would, and changes nothing.',
  testVerb: 'Test the connection',
  testTyped: 'Test what is written',
  good: (users: number, groups: number) =>
    `The directory can be read: ${counted(users, 'person', 'people')}, ${counted(groups, 'group', 'groups')}.`,
  bad: (count: number) => (count === 1 ? 'One check failed.' : `${count} checks failed.`),
  changedSince: 'Something was changed since. Test once more.',
  check: (id: string) => (Object.hasOwn(checks, id) ? (checks[id] as string) : id.replaceAll('_', ' ')),
  stateOf: (status: string) => (Object.hasOwn(checkStates, status) ? (checkStates[status] as string) : status),
  samples: 'People as they would be imported',
  samplesAbout: (count: number) => (count === 1 ? 'The first one that it names.' : `The first ${count} that it names.`),
  closed: 'Closed there: would be suspended',
  notTaken: 'Cannot be imported',

  danger: 'Delete the directory',
  dangerAbout: 'Forgets how it is reached and what its syncs did. The people and groups that it brought stay.',
  deleteVerb: 'Delete directory',
  deleteTitle: (host: string) => `Delete the directory ${host}?`,
  deleteGoes: (host: string) => [
    `${host} is not read any more; its settings, its password and the record of its syncs are deleted.`,
    'The people and groups that it brought stay as they are, and are the team’s to change from then on.',
    'Nobody signs in by its passwords any more: who has no other way in needs a link by mail or a new password.',
  ],
  deleted: 'The directory is deleted',
} as const
