/** Namespaces and URIs of SAML 2.0 and XML Security. */
export const NS = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  /** Metadata Profile for Algorithm Support 2. */
  algorithms: 'urn:oasis:names:tc:SAML:metadata:algsupport',
  dsig: 'http://www.w3.org/2000/09/xmldsig#',
  xenc: 'http://www.w3.org/2001/04/xmlenc#',
  xenc11: 'http://www.w3.org/2009/xmlenc11#',
  excC14n: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  xmlns: 'http://www.w3.org/2000/xmlns/',
  xml: 'http://www.w3.org/XML/1998/namespace',
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
} as const

/** Bindings 3.4, 3.5. */
export const BINDINGS = {
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
} as const

/** Core 8.3. */
export const NAME_ID_FORMATS = {
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const

/** Core 3.2.2.2. */
const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:'
export const STATUS_CODES = {
  success: `${STATUS}Success`,
  requester: `${STATUS}Requester`,
  responder: `${STATUS}Responder`,
  versionMismatch: `${STATUS}VersionMismatch`,
  authnFailed: `${STATUS}AuthnFailed`,
  invalidNameIdPolicy: `${STATUS}InvalidNameIDPolicy`,
  noAuthnContext: `${STATUS}NoAuthnContext`,
  noPassive: `${STATUS}NoPassive`,
  partialLogout: `${STATUS}PartialLogout`,
  requestDenied: `${STATUS}RequestDenied`,
  requestUnsupported: `${STATUS}RequestUnsupported`,
  unknownPrincipal: `${STATUS}UnknownPrincipal`,
} as const

/** Authentication contexts 3.4: the classes that we state. */
export const AUTHN_CONTEXTS = {
  password: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
  unspecified: 'urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified',
  /** A sign-in with a second factor in the REFEDS profile. */
  multiFactor: 'https://refeds.org/profile/mfa',
} as const

/** Profiles 3.3: the bearer of the assertion is its subject. */
export const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
