import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const USER_ERRORS = {
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

export const rejection = rejections(USER_ERRORS)
