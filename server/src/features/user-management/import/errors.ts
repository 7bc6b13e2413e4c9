import { type ErrorTable, rejections } from '../../../platform/app-error.js'

export const IMPORT_ERRORS = {
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
} as const satisfies ErrorTable

export const importError = rejections(IMPORT_ERRORS)
