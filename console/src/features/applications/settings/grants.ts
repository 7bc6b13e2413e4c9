import m from '../../../messages/en/application-settings.json'

/** Grant types with a name and a description in the catalogue. */
const KEYS = new Map([
  ['authorization_code', 'code'],
  ['refresh_token', 'refresh'],
  ['client_credentials', 'client'],
  ['urn:ietf:params:oauth:grant-type:device_code', 'device'],
  ['urn:ietf:params:oauth:grant-type:token-exchange', 'exchange'],
])

export const GRANTS = [...KEYS.keys()]

/** Grant types that public clients can't use. */
export const NEEDS_SECRET = ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange']

/** The key of a grant type in the catalogue; `other` for unknown ones. */
export const grantKey = (grant: string): string => KEYS.get(grant) ?? 'other'

export const grantName = (grant: string): string => (KEYS.has(grant) ? m.grantName({ grant: grantKey(grant) }) : grant)
