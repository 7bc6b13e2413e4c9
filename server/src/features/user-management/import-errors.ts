import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const IMPORT_ERRORS = {
  import_not_found: {
    status: 404,
    title: 'No such import',
    explain: 'There is no such import in this team.',
  },
  import_finished: {
    status: 409,
    title: 'This import is over',
    explain: 'The import has completed, failed or been cancelled already; what it did stays.',
  },
} as const satisfies ErrorTable

export const importError = rejections(IMPORT_ERRORS)
