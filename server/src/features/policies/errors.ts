import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const POLICY_ERRORS = {
  policy_not_found: {
    status: 404,
    title: 'No such policy',
    explain: 'There is no such policy in this team.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(POLICY_ERRORS)
