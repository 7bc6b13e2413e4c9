import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const GROUP_ERRORS = {
  group_not_found: {
    status: 404,
    title: 'Group not found',
    explain: 'The ID is unknown in this team.',
  },
  group_name_taken: {
    status: 409,
    title: 'A group with this name already exists',
    explain: 'Group names are unique in a team. Choose another name, or use the existing group.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(GROUP_ERRORS)
