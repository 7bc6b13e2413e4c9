/** What one vendor's console calls things, and where they are in it. */
interface ScimVendorWords {
  name: string
  /** under the name, to choose by */
  text: string
  /** what a token for it may be called */
  tokenName: string
  /** its field for our address */
  address: string
  /** its field for the token */
  token: string
  /** other fields, with what goes into them */
  fields: { name: string; value: string }[]
  /** before the values are known: where they go */
  steps: string[]
  /** what to know about it */
  note?: string
}

const OKTA: ScimVendorWords = {
  name: 'Okta',
  text: 'Okta Workforce Identity',
  tokenName: 'Okta',
  address: 'SCIM connector base URL',
  token: 'Authorization (HTTP Header)',
  fields: [
    { name: 'Unique identifier field for users', value: 'userName' },
    { name: 'Authentication Mode', value: 'HTTP Header' },
  ],
  steps: [
    'In the Okta admin console open Applications › Applications and the app of this team (SAML or SWA; an OpenID Connect app of your own has no SCIM).',
    'On the tab General, App Settings › Edit, set Provisioning to SCIM, and save.',
    'Open the tab Provisioning › Integration › Edit, and fill in the values above.',
    'Under Supported provisioning actions choose Push New Users, Push Profile Updates and Push Groups.',
    'Paste the token into Authorization, choose Test Connector Configuration, and save.',
    'Under Provisioning › To App › Edit, enable Create Users, Update User Attributes and Deactivate Users.',
    'Assign people on the tab Assignments, and choose groups on the tab Push Groups.',
  ],
}

const ENTRA: ScimVendorWords = {
  name: 'Microsoft Entra ID',
  text: 'Microsoft 365 and Azure accounts',
  tokenName: 'Microsoft Entra ID',
  address: 'Tenant URL',
  token: 'Secret Token',
  fields: [{ name: 'Provisioning Mode', value: 'Automatic' }],
  steps: [
    'In the Microsoft Entra admin center open Enterprise applications › New application › Create your own application, for any other application that is not in the gallery.',
    'Open Provisioning, and set Provisioning Mode to Automatic.',
    'Under Admin Credentials paste the Tenant URL and the Secret Token, choose Test Connection, and save.',
    'Under Mappings look at userName: it is the userPrincipalName. Map mail to it instead where that is no email address.',
    'Under Users and groups assign whoever is to come, then choose Start provisioning.',
  ],
  note: 'What stands behind the question mark makes Microsoft follow the standard; leave it. It begins a new round every 40 minutes or so; Provision on demand sends one person at once.',
}

const GOOGLE: ScimVendorWords = {
  name: 'Google Workspace',
  text: 'Google accounts of an organisation',
  tokenName: 'Google Workspace',
  address: 'Endpoint URL',
  token: 'Access token',
  fields: [],
  steps: [
    'In the Google admin console open Apps › Web and mobile apps, and the SAML app of this team.',
    'Under Autoprovisioning choose Configure autoprovisioning.',
    'Paste the Access token, then the Endpoint URL.',
    'Look through the attribute mapping, choose whom it is for, and what happens to those who leave.',
    'Finish, and turn Autoprovisioning on.',
  ],
  note: 'Google sends people, no groups. Where the app has no section Autoprovisioning, Google does not offer it for that app: take one of its catalogue.',
}

const ONELOGIN: ScimVendorWords = {
  name: 'OneLogin',
  text: 'OneLogin by One Identity',
  tokenName: 'OneLogin',
  address: 'SCIM Base URL',
  token: 'SCIM Bearer Token',
  fields: [{ name: 'SCIM Username', value: 'Email' }],
  steps: [
    'In OneLogin open Applications › Add App, and choose SCIM Provisioner with SAML (SCIM v2 Enterprise).',
    'On the tab Configuration paste the SCIM Base URL and the SCIM Bearer Token, then choose Enable under API Connection.',
    'On the tab Parameters set SCIM Username to Email, and add Groups where groups are to come.',
    'On the tab Provisioning choose Enable provisioning, and save.',
    'Give people the app by a role on the tab Access, and map roles to groups by Rules.',
  ],
}

const OTHER: ScimVendorWords = {
  name: 'Another directory',
  text: 'Anything that speaks SCIM 2.0',
  tokenName: '',
  address: 'Base URL',
  token: 'Bearer token',
  fields: [
    { name: 'Protocol', value: 'SCIM 2.0 (RFC 7643 and 7644)' },
    { name: 'Authentication', value: 'Authorization: Bearer, with the token' },
    { name: 'userName', value: 'The email address; where it is none, the first of the emails is' },
  ],
  steps: [
    'Give the directory the base URL and the token.',
    'Let it send userName, name and emails of people, and displayName and members of groups.',
    'Let it test the connection: its first request shows below.',
  ],
}

/** By the names that the page's address has for the vendors. */
export const scimVendorWords = {
  okta: OKTA,
  entra: ENTRA,
  google: GOOGLE,
  onelogin: ONELOGIN,
  other: OTHER,
} as const satisfies Record<string, ScimVendorWords>
