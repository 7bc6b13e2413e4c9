import { type ErrorTable, refusals } from '../../platform/app-error.js'

export const USER_ERRORS = {
  account_known_elsewhere: {
    status: 409,
    title: 'This address has an account of its own',
    explain:
      'The account was not made by your team, so your team gives it no password. Leave `temporaryPassword` out: the user is added and told by mail.',
  },
  address_taken: {
    status: 409,
    title: 'Another account has this address',
    explain: 'A directory gave a user an address that belongs to another account. Nothing was changed.',
  },
  not_pending: {
    status: 409,
    title: 'This user has been here already',
    explain: 'Only a user who has not signed in yet is welcomed again. Others ask for a link on the sign-in page.',
  },
} as const satisfies ErrorTable

export const refusal = refusals(USER_ERRORS)
