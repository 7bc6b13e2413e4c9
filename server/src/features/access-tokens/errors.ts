import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const ACCESS_TOKEN_ERRORS = {
  api_token_not_found: {
    status: 404,
    title: 'API token not found',
    explain: 'The team has no API token with this ID.',
  },
  scim_token_not_found: {
    status: 404,
    title: 'SCIM token not found',
    explain: 'The team has no SCIM token with this ID.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(ACCESS_TOKEN_ERRORS)
