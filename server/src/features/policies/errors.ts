import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const POLICY_ERRORS = {
  policy_not_found: {
    status: 404,
    title: 'Policy not found',
    explain: 'The ID is unknown in this team.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(POLICY_ERRORS)
