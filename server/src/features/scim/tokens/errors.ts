import { type ErrorTable, rejections } from '../../../platform/app-error.js'

export const SCIM_TOKEN_ERRORS = {
  scim_token_not_found: {
    status: 404,
    title: 'SCIM token not found',
    explain: 'The team has no SCIM token with this ID.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(SCIM_TOKEN_ERRORS)
