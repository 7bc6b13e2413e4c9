import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const SSO_ERRORS = {
  sso_provider_not_found: {
    status: 404,
    title: 'Sign-in provider not found',
    explain: 'This team has no provider with this ID, or the provider uses the other protocol.',
  },
  sso_secret_needed: {
    status: 400,
    title: 'Send the client secret again',
    explain:
      'The change would send the client secret to another server: another `oidcIssuer` or `oidcTokenUrl`. The stored secret was entered for the previous one. Send `oidcClientSecret` in the same request.',
  },
  sso_metadata_unreachable: {
    status: 400,
    title: 'The metadata URL could not be read',
    explain:
      'The URL did not respond within five seconds, or responded with more than 1 MiB, a redirect, or a status other than 200. `errors` names the field and the reason.',
  },
  sso_metadata_invalid: {
    status: 400,
    title: 'The metadata does not describe a usable identity provider',
    explain:
      'The document is not accepted XML (it has a document type, or more than 256 kB), has several entities and the request names none, has no SAML 2.0 identity provider role, no usable certificate or URL, or has expired. `errors` names the field and the reason.',
  },
  sso_logout_invalid: {
    status: 400,
    title: 'Invalid sign-out message',
    explain:
      'The message cannot be read, is not from a provider of the team, has no valid signature, has another destination, is too old, or has already been used. `detail` names the failed checks. No session was ended.',
  },
  sso_logout_not_found: {
    status: 404,
    title: 'This sign-out has expired or has already continued',
    explain:
      'A sign-out that visits applications continues for ten minutes, once. Its sessions have ended; close the browser if an application still shows a user.',
  },
  sso_ecp_unsupported: {
    status: 406,
    title: 'Enhanced clients (ECP) are not supported',
    explain: 'The client requested a SAML message over the PAOS binding. Start the sign-in in a browser.',
  },
  sso_logout_incomplete: {
    status: 403,
    title: 'You are signed out here, but maybe not at the provider',
    explain: 'The provider reported that it did not end all sessions. Sign out there, or close the browser.',
  },
  sso_run_not_found: {
    status: 404,
    title: 'Test not found',
    explain: 'The provider has no test with this ID. The last 50 sign-ins and tests are stored for 30 days.',
  },
  domain_not_found: {
    status: 404,
    title: 'Domain not found',
    explain: 'The team has not added this domain.',
  },
  domain_not_proven: {
    status: 409,
    title: 'The DNS record of this domain was not found',
    explain:
      'The TXT record does not exist or has another value. A new record can take a while to become visible. `detail` contains the name and the value.',
  },
  sso_state_invalid: {
    status: 400,
    title: 'This sign-in has expired or was not started here',
    explain:
      'No pending sign-in matches the response of the provider: it was already completed, took longer than ten minutes, or was started in another browser. Start again.',
  },
  sso_provider_changed: {
    status: 403,
    title: 'The provider was changed during your sign-in',
    explain: 'An administrator changed the provider after the sign-in started. Start again.',
  },
  sso_provider_busy: {
    status: 409,
    title: 'Another administrator is changing this provider',
    explain:
      'The provider was changed three times while its metadata was read. Nothing of this change was saved. Review the provider and save it again.',
  },
  sso_provider_disabled: {
    status: 403,
    title: 'This sign-in provider is disabled',
    explain: 'An administrator of the team has disabled it.',
  },
  sso_provider_orphaned: {
    status: 403,
    title: 'The administrator who configured this sign-in provider no longer has access',
    explain:
      'A provider acts with the permissions of its last editor, who may no longer write providers. An administrator of the team must save a trust setting of the provider again, changed or unchanged.',
  },
  sso_provider_unreachable: {
    status: 403,
    title: 'The provider does not respond as expected',
    explain:
      'Its configuration, its keys or its token endpoint could not be read within five seconds, or returned an unexpected response. The sign-in log of the provider contains the reason.',
  },
  sso_token_invalid: {
    status: 403,
    title: 'The response of the provider is not valid',
    explain: 'The signed statement of the provider failed a check. The sign-in log of the provider lists all checks.',
  },
  sso_idp_initiated: {
    status: 403,
    title: 'Start your sign-in with this provider here',
    explain:
      'The provider sent a response without a request, and the team does not allow sign-ins that start at the provider. Start on the sign-in page of Keyward.',
  },
  sso_subject_unstable: {
    status: 403,
    title: 'The provider does not send a stable ID for you',
    explain:
      'Its NameID is different at each sign-in (transient), and no attribute replaces it. An administrator of the provider must send a persistent NameID, an email address, or an attribute that is mapped to externalId.',
  },
  sso_sign_in_too_old: {
    status: 403,
    title: 'The provider did not ask you to sign in again',
    explain:
      'The application or the page requires a recent sign-in and requested one from the provider (ForceAuthn, max_age). The provider returned an older one, or none with a time (`auth_time`). Sign out at the provider and start again. An administrator of the provider can have it send `auth_time`.',
  },
  sso_access_denied: {
    status: 403,
    title: 'The provider denied access',
    explain: 'The provider ended the sign-in, or you canceled it there.',
  },
  sso_email_missing: {
    status: 403,
    title: 'The provider did not send an email address',
    explain:
      'The first sign-in of a user requires an email address. An administrator can name the attribute that contains it.',
  },
  sso_email_unverified: {
    status: 403,
    title: 'The provider did not confirm your email address',
    explain:
      'The provider states that the email address is not verified, or states nothing and is not trusted for it. Such an email address does not link a user to an account.',
  },
  sso_domain_not_allowed: {
    status: 403,
    title: 'Email addresses of this domain cannot use this provider',
    explain: 'The provider accepts only the domains that the team has listed for it.',
  },
  sso_not_provisioned: {
    status: 403,
    title: 'You are not a member of this team',
    explain:
      'The provider authenticated you, but the team does not let it add members. Ask an administrator to add you.',
  },
  sso_member_suspended: {
    status: 403,
    title: 'The team has suspended you',
    explain: 'An administrator of the team has suspended your membership or your account.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(SSO_ERRORS)
