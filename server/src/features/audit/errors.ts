import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const AUDIT_ERRORS = {
  audit_entry_not_found: {
    status: 404,
    title: 'Audit entry not found',
    explain: 'The log of this team has no entry with this ID.',
  },
  audit_archive_not_found: {
    status: 404,
    title: 'Archive not found',
    explain: 'The log of this team has no archive with this ID. It may have been deleted.',
  },
  checkpoint_not_genuine: {
    status: 400,
    title: 'Invalid checkpoint',
    explain:
      'The value is not a checkpoint that this service signed, or it is one of another team. Send the `checkpoint` of `GET /audit/checkpoint` unchanged; a `statement` of the log lines belongs to `scope=instance`.',
  },
  search_too_wide: {
    status: 422,
    title: 'Search too wide',
    explain:
      'The search would have to scan too many entries. Narrow the range of `startDate` and `endDate`, or filter by `userId` or `action` as well.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(AUDIT_ERRORS)
