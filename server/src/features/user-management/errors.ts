import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const USER_ERRORS = {
  address_taken: {
    status: 409,
    title: 'Another account already uses this email address',
    explain: 'A directory sent an email address that belongs to another account. Nothing was changed.',
  },
  not_pending: {
    status: 409,
    title: 'This user is not pending',
    explain:
      'Only users who have not signed in yet can receive a new welcome link. Others request a link on the sign-in page.',
  },
  import_not_found: {
    status: 404,
    title: 'Import not found',
    explain: 'The ID is unknown in this team.',
  },
  import_finished: {
    status: 409,
    title: 'This import has already ended',
    explain: 'The import completed, failed or was cancelled. Its results stay.',
  },
  run_not_found: {
    status: 404,
    title: 'Bulk change not found',
    explain: 'The ID is unknown in this team.',
  },
  run_finished: {
    status: 409,
    title: 'This bulk change has already ended',
    explain: 'It completed, failed or was cancelled. Its results stay.',
  },
  own_account: {
    status: 409,
    title: 'A bulk change does not apply to your own account',
    explain: 'The list or filter included you. To change your own membership, use the endpoint of the single user.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(USER_ERRORS)
