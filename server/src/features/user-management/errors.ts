import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const USER_ERRORS = {
  address_taken: {
    status: 409,
    title: 'Another account already uses this email address',
    explain: 'A directory sent an email address that belongs to another account. Nothing was changed.',
  },
  not_pending: {
    status: 409,
    title: 'This user has already signed in',
    explain:
      'Only users who have not signed in yet can receive a new welcome link. Others request a link on the sign-in page.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(USER_ERRORS)
