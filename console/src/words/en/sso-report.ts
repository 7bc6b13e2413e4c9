/** The outcomes of a recorded sign-in. */
const outcomes: Record<string, string> = {
  signed_in: 'Signed in',
  challenged: 'Second factor required',
  refused: 'Rejected',
  would_sign_in: 'Would sign in',
}

/** Checks by their stable ids. No name states a result, because the same one is shown for a passed and a failed check. */
const checks: Record<string, string> = {
  discovery: 'Configuration document',
  discovery_issuer: 'Issuer in the configuration document',
  endpoints: 'Endpoints',
  client_authentication: 'Client secret',
  keys: 'Signing keys',
  clock: 'Clock',
  mapping: 'Attribute mapping',
  saved_by: 'Access of the last editor',
  certificate_1: 'Signing certificate',
  certificate_2: 'Second signing certificate',
  metadata: 'Metadata',
  metadata_entity: 'Entity ID of the metadata',
  metadata_certificates: 'Certificates of the metadata',
  tls: 'TLS certificate',
  sso_endpoint: 'Sign-in URL',
  answer: 'Response of the provider',
  answer_issuer: 'Issuer of the response',
  token_endpoint: 'Exchange of the code',
  signature: 'Signature',
  algorithm: 'Signature algorithm',
  header: 'Header',
  type: 'Token type',
  format: 'Format',
  issuer: 'Issuer',
  audience: 'Audience',
  authorized_party: 'Authorized party',
  nonce: 'Nonce',
  subject: 'Subject',
  access_token_hash: 'Access token hash',
  expiry: 'Expiry',
  not_before: 'Start of validity',
  issued_at: 'Time of issue',
  userinfo: 'User info',
  recipient: 'Recipient',
  destination: 'Destination',
  conditions: 'Conditions',
  in_response_to: 'Request that it responds to',
  sign_in_age: 'Age of the sign-in',
  readable: 'Encoding',
  well_formed: 'XML',
  message: 'Type of message',
  status: 'Status of the provider',
  assertion: 'Assertion',
  encryption: 'Encryption',
  subject_confirmation: 'Subject confirmation',
  issue_instant: 'Time of issue',
  not_on_or_after: 'Expiry',
  authn_instant: 'Time of the authentication',
  session_not_on_or_after: 'End of the session at the provider',
  name_id: 'NameID',
  attributes: 'Attributes',
  used_once: 'Single use',
}

/** The result of a check, because a color alone is not readable. */
const checkStates: Record<string, string> = {
  ok: 'Passed',
  failed: 'Failed',
  skipped: 'Skipped',
  warning: 'Warning',
}

/** The vendor's names of the settings that the user may have to change there. */
interface VendorNames {
  /** of the audience of a response */
  audience: string
  /** of the URL that receives responses (SAML) */
  acs: string
  /** of the client secret (OpenID Connect) */
  secret: string
}

type Fix = (names: VendorNames) => string

const beginAgain = 'Sign in again. If it continues, a proxy between this service and the provider caches responses.'
const setClocks = 'Synchronize both clocks with NTP. A difference of more than two minutes is rejected.'

/** The fix for each failed check of a sign-in. */
const fixes: Record<'OIDC' | 'SAML2', Record<string, Fix>> = {
  OIDC: {
    answer: () => 'At the provider, check who is assigned to the application.',
    token_endpoint: ({ secret }) => `Copy “${secret}” from the provider again, and save it under Settings.`,
    audience: ({ audience }) => `At the provider, change “${audience}” to the expected value.`,
    issuer: () => 'Under Settings, enter the issuer exactly as the provider states it.',
    answer_issuer: () => 'Under Settings, enter the issuer exactly as the provider states it.',
    signature: () => 'The provider signs with a key that it does not publish, or the message was changed in transit.',
    algorithm: () => 'At the provider, select RS256, PS256 or ES256 (or a stronger variant) for the ID token.',
    expiry: () => setClocks,
    not_before: () => setClocks,
    issued_at: () => setClocks,
    sign_in_age: () =>
      'Configure the provider to send the claim auth_time and to support max_age and prompt=login. Until then, sign out there first.',
    userinfo: () => 'The UserInfo endpoint returned another user. Check its URL under Settings.',
    nonce: () => beginAgain,
    discovery: () => 'Check the issuer under Settings. This service must be able to read its configuration document.',
  },
  SAML2: {
    status: () => 'At the provider, check who is assigned to the application.',
    audience: ({ audience }) => `At the provider, change “${audience}” to the expected value.`,
    destination: ({ acs }) => `At the provider, change “${acs}” to the expected value.`,
    recipient: ({ acs }) => `At the provider, change “${acs}” to the expected value.`,
    issuer: () => 'Under Settings, enter the entity ID exactly as the provider states it, or read its metadata again.',
    signature: () =>
      'Read the metadata again, or enter the provider’s current signing certificate under Settings. The provider must sign the response or the assertion with SHA-256 or stronger.',
    encryption: () =>
      'Import our metadata at the provider again. It encrypts for a certificate that this team no longer uses.',
    in_response_to: () => beginAgain,
    used_once: () => beginAgain,
    issue_instant: () => setClocks,
    not_before: () => setClocks,
    not_on_or_after: () => setClocks,
    authn_instant: () => setClocks,
    sign_in_age: () => 'Configure the provider to support ForceAuthn. Until then, sign out there first.',
    session_not_on_or_after: () => setClocks,
    name_id: () => 'Configure the provider to send one NameID: an email address or a persistent identifier.',
    subject: () => 'Configure the provider to send one NameID: an email address or a persistent identifier.',
  },
}

/** The cause and the fix of each error code. */
const refusals: Record<string, string> = {
  sso_token_invalid: 'See the failed check below.',
  sso_provider_unreachable: 'The failed check below names the unreachable endpoint.',
  sso_sign_in_too_old:
    'A recent sign-in was required, but the provider returned an older one, or none with a time. Configure it to send auth_time and to support max_age or ForceAuthn.',
  sso_access_denied: 'The provider canceled the sign-in. Check there who is assigned to the application.',
  sso_idp_initiated:
    'The sign-in started at the provider. To allow this, turn on “Accept sign-ins that begin at the provider” under Settings.',
  sso_subject_unstable:
    'The NameID changes at each sign-in. Configure a persistent NameID or an email address, or map a permanent attribute to “External id” under Attributes.',
  sso_state_invalid: 'No sign-in waits for this response: it took longer than ten minutes, or was completed before.',
  sso_email_missing: 'The provider sent no email address. Select the attribute that contains it under Attributes.',
  sso_email_unverified:
    'The provider does not state that the email address is verified. If it verifies all of them, turn on “Trust its addresses” under Settings.',
  sso_domain_not_allowed: 'The domain of the email address is not listed under Settings.',
  sso_not_provisioned:
    'The user is not a member of the team. Invite them, or turn on “Make accounts at the first sign-in” under Settings.',
  sso_member_suspended: 'The user is suspended in this team.',
  sso_provider_orphaned:
    'The administrator who configured this provider no longer has access. Save its secret, certificate or domains again; it then uses your permissions.',
  sso_provider_changed: 'The provider was changed during the sign-in. Sign in again.',
  sso_provider_disabled: 'The provider is disabled.',
  sign_in_denied: 'A policy of the team denies this user.',
  role_protected:
    'The user has more permissions than the administrator who configured the provider. If an owner saves it again, owners can sign in.',
  limit_reached: 'The team has reached its member limit.',
}

/** Messages of the report on a sign-in or a check of a provider. */
// Not spread into `ssoWords`: a spread is code with a possible side effect, and every page would load this file.
export const ssoReportWords = {
  outcome: (outcome: string) => (Object.hasOwn(outcomes, outcome) ? outcomes[outcome] : undefined) ?? outcome,
  check: (id: string) => (Object.hasOwn(checks, id) ? checks[id] : undefined) ?? id.replaceAll('_', ' '),
  fix: (protocol: 'OIDC' | 'SAML2', id: string, names: VendorNames) =>
    (Object.hasOwn(fixes[protocol], id) ? fixes[protocol][id] : undefined)?.(names),
  refusal: (code: string) => (Object.hasOwn(refusals, code) ? refusals[code] : undefined),
  stateOf: (status: string) => (Object.hasOwn(checkStates, status) ? checkStates[status] : undefined) ?? status,
}
