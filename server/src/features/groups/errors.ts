import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const GROUP_ERRORS = {
  group_not_found: {
    status: 404,
    title: 'No such group',
    explain: 'There is no such group in this team.',
  },
  group_name_taken: {
    status: 409,
    title: 'A group of this name exists',
    explain: 'The team has a group of exactly this name. Choose another, or use that group.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(GROUP_ERRORS)
