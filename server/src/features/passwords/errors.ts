import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const PASSWORD_ERRORS = {
  password_policy: {
    status: 400,
    title: 'The password does not meet the policy',
    explain: '`errors` lists each violated rule (`rule`) with a message. Nothing was changed, and a link stays valid.',
  },
  password_replaced: {
    status: 409,
    title: 'The password was replaced concurrently',
    explain:
      'A concurrent request set another password of the account. Nothing was changed, and a link stays valid. Try again.',
  },
  wrong_password: {
    status: 403,
    title: 'The current password is wrong',
    explain:
      'The current password is wrong, or the account is locked after too many failures. The response is the same.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(PASSWORD_ERRORS)
