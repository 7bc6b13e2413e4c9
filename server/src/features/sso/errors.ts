import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const SSO_ERRORS = {
  sso_provider_not_found: {
    status: 404,
    title: 'No such sign-in provider',
    explain: 'There is no such provider in this team, or it speaks another protocol than this address.',
  },
  sso_secret_needed: {
    status: 400,
    title: 'Give the client secret once more',
    explain:
      'The change names another place for the client secret to be sent to: another `oidcIssuer`, or another `oidcTokenUrl`. What lies here was given for the place before it. Send `oidcClientSecret` in the same request.',
  },
  sso_metadata_unreachable: {
    status: 400,
    title: 'The metadata cannot be read from its address',
    explain:
      'The address did not answer within five seconds, with more than 1 MiB, with a redirect, or with another status than 200. `errors` names the field and says which.',
  },
  sso_metadata_invalid: {
    status: 400,
    title: 'That is no metadata of an identity provider that can be used',
    explain:
      'It is no XML that is taken (a document type, more than 256 kB), has several entities and none is named, no role of an identity provider for SAML 2.0, no usable certificate or address, or its validity is over. `errors` names the field and says which.',
  },
  sso_logout_invalid: {
    status: 400,
    title: 'This sign-out message is not valid',
    explain:
      'It cannot be read, is of no provider of the team, is not signed by it, is not for this address, is too old, or was used already. `detail` names the checks that failed. No session has ended by it.',
  },
  sso_logout_incomplete: {
    status: 403,
    title: 'You are signed out here, and perhaps not at the provider',
    explain: 'The provider answered that it did not end all sessions. Sign out there, or close the browser.',
  },
  sso_run_not_found: {
    status: 404,
    title: 'No such test',
    explain: 'The provider has no test with this id; the last 50 sign-ins and tests are kept, for 30 days.',
  },
  domain_not_found: {
    status: 404,
    title: 'No such domain',
    explain: 'The team has not said that this domain is its own.',
  },
  domain_not_proven: {
    status: 409,
    title: 'The DNS record of this domain is not there',
    explain:
      'Its TXT record could not be found, or says something else. What was written just now can take a while to be seen; `detail` has the name and the value.',
  },
  sso_state_invalid: {
    status: 400,
    title: 'This sign-in was not begun here, or is over',
    explain:
      'The answer of the provider names no sign-in that waits for it: it was used already, took longer than ten minutes, or was begun in another browser. Begin anew.',
  },
  sso_provider_changed: {
    status: 403,
    title: 'The provider was changed while you signed in',
    explain: 'An administrator changed the provider after the sign-in was begun. Begin anew.',
  },
  sso_provider_busy: {
    status: 409,
    title: 'The provider is being changed by somebody else',
    explain:
      'It was changed three times while its metadata was read, and nothing of this change is kept. Look at it and save it once more.',
  },
  sso_provider_disabled: {
    status: 403,
    title: 'This sign-in provider is switched off',
    explain: 'An administrator of the team has switched it off.',
  },
  sso_provider_orphaned: {
    status: 403,
    title: 'Nobody answers for this sign-in provider',
    explain:
      'A provider acts by the rights of whoever last saved what it trusts, and they may no longer write providers. An administrator of the team has to save such a setting once more, as it is or changed.',
  },
  sso_provider_unreachable: {
    status: 403,
    title: 'The provider does not answer as it should',
    explain:
      'Its configuration, its keys or its token endpoint could not be read within five seconds, or said something else than expected. The recorder of the provider says what.',
  },
  sso_token_invalid: {
    status: 403,
    title: 'The answer of the provider is not valid',
    explain: 'The signed statement of the provider failed a check; the recorder of the provider lists all of them.',
  },
  sso_idp_initiated: {
    status: 403,
    title: 'Sign-ins by this provider begin here',
    explain:
      'The provider sent somebody whom nobody had sent to it, and the team does not allow that. Begin at our sign-in page.',
  },
  sso_subject_unstable: {
    status: 403,
    title: 'The provider does not say who you are in a lasting way',
    explain:
      'Its NameID is another one at each sign-in (transient), and no attribute takes its place. An administrator of the provider has to send a persistent NameID or an address, or an attribute that is mapped to externalId.',
  },
  sso_sign_in_too_old: {
    status: 403,
    title: 'The provider did not have you sign in anew',
    explain:
      'The application, or the page, wants a sign-in that is recent, the provider was asked for one (ForceAuthn, max_age), and brought an older one or does not say when it was (`auth_time`). Sign out at the provider and begin anew; an administrator of the provider can have it send `auth_time`.',
  },
  sso_access_denied: {
    status: 403,
    title: 'The provider did not let you in',
    explain: 'The provider ended the sign-in itself, or you cancelled it there.',
  },
  sso_email_missing: {
    status: 403,
    title: 'The provider did not send an e-mail address',
    explain:
      'Somebody who signs in for the first time needs an address. An administrator can name the attribute that has it.',
  },
  sso_email_unverified: {
    status: 403,
    title: 'The provider does not vouch for your e-mail address',
    explain:
      'The provider says that the address is not verified, or says nothing and is not trusted for it. Nobody is linked to an account by such an address.',
  },
  sso_domain_not_allowed: {
    status: 403,
    title: 'Addresses of this domain may not use this provider',
    explain: 'The provider is open only to the domains that the team has listed for it.',
  },
  sso_not_provisioned: {
    status: 403,
    title: 'You are not a member of this team',
    explain:
      'The provider has vouched for you, and the team does not let it make new members. Ask an administrator to add you.',
  },
  sso_member_suspended: {
    status: 403,
    title: 'The team has suspended you',
    explain: 'An administrator of the team has suspended your membership or your account.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(SSO_ERRORS)
