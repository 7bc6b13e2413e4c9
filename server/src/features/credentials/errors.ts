import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const CREDENTIAL_ERRORS = {
  password_policy: {
    status: 400,
    title: 'The password does not meet the rules',
    explain:
      '`errors` names each rule that failed (`rule`) with a sentence. Nothing was changed, and a link stays usable.',
  },
  password_replaced: {
    status: 409,
    title: 'The password was replaced at the same moment',
    explain: 'Somebody set another password of the account meanwhile. Nothing was changed, and a link stays usable.',
  },
  wrong_password: {
    status: 403,
    title: 'The current password is wrong',
    explain: 'The current password is wrong, or the account is locked after too many failures; the answer is the same.',
  },
  api_token_not_found: {
    status: 404,
    title: 'No such API token',
    explain: 'The team has no API token with this id.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(CREDENTIAL_ERRORS)
