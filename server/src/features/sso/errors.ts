import { type ErrorTable, refusals } from '../../platform/app-error.js'

export const SSO_ERRORS = {
  sso_provider_not_found: {
    status: 404,
    title: 'No such sign-in provider',
    explain: 'There is no such provider in this team, or it speaks another protocol than this address.',
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
  domain_proven_elsewhere: {
    status: 409,
    title: 'Another team has proven this domain',
    explain: 'Its record stands in the DNS as well. Take it out there, and look it up once more.',
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
  sso_provider_disabled: {
    status: 403,
    title: 'This sign-in provider is switched off',
    explain: 'An administrator of the team has switched it off.',
  },
  sso_provider_orphaned: {
    status: 403,
    title: 'Nobody answers for this sign-in provider',
    explain:
      'A provider acts by the rights of whoever saved it last, and they may no longer write providers. An administrator of the team has to save it once more.',
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

export const refusal = refusals(SSO_ERRORS)
