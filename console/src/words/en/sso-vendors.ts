/** What a provider has to be told to send, and in which of its fields; without rows the text says all. */
export interface SamlAttributesToSend {
  name: string
  text: string
  columns?: [string, string]
  rows?: [string, string][]
}

/** What one vendor's console calls things, and where they are in it. */
interface VendorWords {
  name: string
  /** as in “At Okta” */
  place: string
  text: string
  /** what a name for people may be */
  example: string
  oidc?: {
    /** how to make the client there */
    steps: string[]
    issuer: string
    issuerHint: string
    clientId: string
    clientSecret: string
    /** where the address to come back to goes */
    redirect: string
    redirectSteps: string[]
    /** where the address of its sign-outs goes, if it has such a field */
    logout?: string
  }
  saml?: {
    steps: string[]
    acs: string
    audience: string
    nameIdLabel: string
    nameId: string
    /** where the address of our sign-outs goes, if it has such a field */
    logout?: string
    attributes: SamlAttributesToSend
    metadataUrl: string
  }
}

const OKTA: VendorWords = {
  name: 'Okta',
  place: 'Okta',
  text: 'Okta Workforce Identity',
  example: 'Okta',
  oidc: {
    steps: [
      'In the Okta admin console open Applications › Applications › Create App Integration.',
      'Choose OIDC - OpenID Connect, then Web Application. Keep the grant type Authorization Code.',
      'Leave the sign-in redirect URI as it is for now, choose who may use it, and save.',
      'Copy the client ID and the client secret from the tab General.',
    ],
    issuer: 'https://acme.okta.com',
    issuerHint: 'The address of your Okta organisation; with an authorization server of its own: …/oauth2/{id}.',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    redirect: 'Sign-in redirect URIs',
    redirectSteps: ['In Okta open the app, tab General, General Settings › Edit.', 'Replace what is there, and save.'],
    logout: 'Back-channel logout URI',
  },
  saml: {
    steps: [
      'In the Okta admin console open Applications › Applications › Create App Integration.',
      'Choose SAML 2.0, give it a name, and fill in the values of this page.',
      'Finish, assign people on the tab Assignments, and copy the metadata URL from the tab Sign On.',
    ],
    acs: 'Single sign-on URL',
    audience: 'Audience URI (SP Entity ID)',
    nameIdLabel: 'Name ID format',
    nameId: 'EmailAddress',
    logout: 'Single Logout URL',
    attributes: {
      name: 'Attribute Statements',
      text: 'Without them people have no name here.',
      columns: ['Name', 'Value'],
      rows: [
        ['email', 'user.email'],
        ['firstName', 'user.firstName'],
        ['lastName', 'user.lastName'],
      ],
    },
    metadataUrl: 'Metadata URL',
  },
}

const ENTRA: VendorWords = {
  name: 'Microsoft Entra ID',
  place: 'Microsoft',
  text: 'Microsoft 365 and Azure accounts',
  example: 'Microsoft',
  oidc: {
    steps: [
      'In the Microsoft Entra admin center open App registrations › New registration.',
      'Choose “Accounts in this organizational directory only”, leave the redirect URI empty, and register.',
      'Copy the Application (client) ID and the Directory (tenant) ID from the overview.',
      'Open Certificates & secrets › New client secret, and copy its value (not its ID).',
    ],
    issuer: 'https://login.microsoftonline.com/{tenant ID}/v2.0',
    issuerHint:
      'Put your Directory (tenant) ID into it. “common” and “organizations” are refused: anybody could come by them.',
    clientId: 'Application (client) ID',
    clientSecret: 'Client secret value',
    redirect: 'Redirect URIs',
    redirectSteps: [
      'In the app registration open Authentication › Add a platform › Web.',
      'Paste the address, and save.',
    ],
  },
  saml: {
    steps: [
      'In the Microsoft Entra admin center open Enterprise applications › New application › Create your own application.',
      'Open Single sign-on › SAML › Basic SAML Configuration, and fill in the values of this page.',
      'Copy the App Federation Metadata Url, and assign people under Users and groups.',
    ],
    acs: 'Reply URL (Assertion Consumer Service URL)',
    audience: 'Identifier (Entity ID)',
    nameIdLabel: 'Name identifier format',
    nameId: 'Email address',
    logout: 'Logout Url',
    attributes: {
      name: 'Attributes & Claims',
      text: 'Leave them as they are: what it sends by itself is understood.',
    },
    metadataUrl: 'App Federation Metadata Url',
  },
}

const GOOGLE: VendorWords = {
  name: 'Google Workspace',
  place: 'Google',
  text: 'Google accounts of an organisation',
  example: 'Google',
  oidc: {
    steps: [
      'In the Google Cloud console open APIs & Services › OAuth consent screen, and choose Internal.',
      'Open Credentials › Create credentials › OAuth client ID › Web application, and create it.',
      'Copy the client ID and the client secret.',
    ],
    issuer: 'https://accounts.google.com',
    issuerHint: 'It is the same for everybody, so list your domains below: else any Google account would do.',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    redirect: 'Authorized redirect URIs',
    redirectSteps: ['In Credentials open the client.', 'Add the address, and save.'],
  },
  saml: {
    steps: [
      'In the Google admin console open Apps › Web and mobile apps › Add app › Add custom SAML app.',
      'Download the metadata, then fill in the values of this page.',
      'Turn the app on for whoever may use it.',
    ],
    acs: 'ACS URL',
    audience: 'Entity ID',
    nameIdLabel: 'Name ID format',
    nameId: 'EMAIL',
    attributes: {
      name: 'Attribute mapping',
      text: 'Add these three: it sends nothing by itself.',
      columns: ['Google Directory attributes', 'App attributes'],
      rows: [
        ['Primary email', 'email'],
        ['First name', 'firstName'],
        ['Last name', 'lastName'],
      ],
    },
    metadataUrl: 'Metadata (download)',
  },
}

const OPENID: VendorWords = {
  name: 'OpenID Connect',
  place: 'your provider',
  text: 'Any other provider that speaks OpenID Connect',
  example: 'Company account',
  oidc: {
    steps: [
      'Register a client at the provider: authorization code flow, with a client secret.',
      'Leave its redirect address open for now.',
      'Copy the client ID and the client secret.',
    ],
    issuer: 'https://login.example.com',
    issuerHint: 'As its configuration document names it, to the letter.',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    redirect: 'Redirect URI',
    redirectSteps: ['Add the address to the client at the provider.'],
    logout: 'Back-channel logout URI',
  },
}

const SAML: VendorWords = {
  name: 'SAML 2.0',
  place: 'your provider',
  text: 'Any other provider that speaks SAML',
  example: 'Company account',
  saml: {
    steps: [
      'Add a service provider (relying party) at your identity provider, with the values of this page.',
      'Let it send the email address, and sign its responses or assertions.',
      'Copy the address of its metadata, or download them.',
    ],
    acs: 'Assertion consumer service (ACS) URL',
    audience: 'Entity ID (audience)',
    nameIdLabel: 'Name ID format',
    nameId: 'emailAddress',
    logout: 'Single logout (SLO) URL',
    attributes: {
      name: 'Attributes',
      text: 'Under these names, or under the object identifiers of LDAP.',
      columns: ['Name', 'Value'],
      rows: [
        ['email', 'The email address'],
        ['firstName', 'The first name'],
        ['lastName', 'The last name'],
      ],
    },
    metadataUrl: 'Metadata URL',
  },
}

/** By the names that the service has for the vendors. */
export const vendorWords: Record<
  'VENDORA' | 'VENDORB_AD' | 'VENDORC_WORKSPACE' | 'GENERIC_OIDC' | 'GENERIC_SAML',
  VendorWords
> = {
  VENDORA: OKTA,
  VENDORB_AD: ENTRA,
  VENDORC_WORKSPACE: GOOGLE,
  GENERIC_OIDC: OPENID,
  GENERIC_SAML: SAML,
}
