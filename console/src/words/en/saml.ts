const fields: Record<string, string> = {
  id: 'Id of the account',
  email: 'Email',
  firstName: 'First name',
  lastName: 'Last name',
  displayName: 'Full name',
  department: 'Department',
  title: 'Title',
  phone: 'Phone',
  locale: 'Language',
  groups: 'Groups',
  externalId: 'External id',
  role: 'Role in the team',
}

/** Why a sign-in to an application by SAML cannot go on, to whoever signs in. */
const causes: Record<string, { title: string; text: string }> = {
  saml_request_not_found: {
    title: 'This sign-in is over',
    text: 'It was finished, maybe in another tab, or it waited too long. Open the application and sign in from there once more.',
  },
  saml_application_stopped: {
    title: 'The application is stopped',
    text: 'Administrators of its team stopped it. Ask one of them.',
  },
  saml_not_configured: {
    title: 'The application is not set up yet',
    text: 'Nobody knows where you would be sent. Tell whoever runs the application.',
  },
  application_not_found: {
    title: 'This application is not known here',
    text: 'It was deleted, or its settings name another service. Tell whoever runs the application.',
  },
  application_access_denied: {
    title: 'You may not use this application',
    text: 'Sign out and use another account, or ask an administrator of the team.',
  },
  team_sign_in_required: {
    title: 'Sign in in another way',
    text: 'You signed in by the provider of one team, which opens nothing of another. Sign out, and sign in by your own password, passkey or link.',
  },
  team_suspended: { title: 'This team is suspended', text: 'Ask one of its owners.' },
}

const unknownCause = {
  title: 'The sign-in cannot go on',
  text: 'Open the application and sign in from there once more; if it stays, tell your administrator.',
}

/** Applications that people sign in to by SAML. */
export const samlWords = {
  cause: (code: string) => (Object.hasOwn(causes, code) ? causes[code] : undefined) ?? unknownCause,
  field: (field: string) => (Object.hasOwn(fields, field) ? fields[field] : undefined) ?? field,

  values: 'What your application needs',
  valuesAbout: 'Most applications take the address of the metadata, and find the rest in it.',
  metadataUrl: 'Metadata address',
  saveMetadata: 'Save it as a file',
  entityId: 'Entity ID (issuer)',
  ssoUrl: 'Sign-in address (SSO URL)',
  sloUrl: 'Sign-out address (SLO URL)',
  startUrl: 'Start address',
  startAbout: 'Opens the application from here, without a request of it.',
  certificateUntil: (day: string) => `Valid until ${day}`,

  optional: 'optional',
  missing: 'Copy it from the application.',
  spEntityId: 'Entity ID of the application',
  spEntityIdHint: 'Also called audience or SP entity ID.',
  acsUrl: 'Address that takes answers',
  acsUrlHint: 'Also called assertion consumer service (ACS) or reply URL. Answers go there and nowhere else.',
  urlWrong: 'Write a whole https:// address.',

  import: 'Import its metadata',
  importAbout: 'If the application has metadata, nothing needs to be typed.',
  source: 'How do you have them?',
  sources: { url: 'By an address', xml: 'As a file' },
  url: 'Address of the metadata',
  xml: 'Metadata (XML)',
  xmlHint: 'Paste them, or choose the file.',
  chooseFile: 'Choose a file',
  read: 'Read the metadata',
  found: 'The metadata can be used',
  take: 'Take these values',
  taken: 'The values were saved.',
  asks: 'It asks for these attributes',

  settings: 'The application',
  nameId: 'How people are named (NameID)',
  nameIdHint: 'The application knows people again by it.',
  nameIds: {
    email: 'Email address',
    persistent: 'Lasting id, another one for each application',
    transient: 'Another id at each sign-in',
    unspecified: 'Email address, unspecified',
  },
  spSloUrl: 'Its sign-out address',
  spSloUrlHint: 'People who sign out here are signed out there as well.',
  spSloPostUrl: 'Its single logout URL (POST binding)',
  spSloPostUrlHint: 'Only if the application has one for posted forms.',
  spCertificate: 'Its certificate',
  spCertificateHint: 'With one, it has to sign its requests by it.',
  certificateWrong: 'Paste the whole certificate, from -----BEGIN CERTIFICATE----- on.',
  options: 'Options',
  encrypt: 'Encrypt assertions',
  encryptFound: 'To its certificate: it has a key for that',
  encryptAbout: 'To its certificate, whose key must be RSA.',
  idpInitiated: 'May be opened from here',
  idpInitiatedAbout: 'From people’s list of applications, without a request of the application.',

  attributes: 'What it is told about people',
  attributesAbout: 'Under which name it gets each value. What is empty is not told.',
  attributesUsual: 'Nothing is written: it gets email, firstName, lastName and displayName, under these names.',
  attributeTwice: 'This name stands for another value already.',
} as const
