import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const AUDIT_ERRORS = {
  audit_entry_not_found: {
    status: 404,
    title: 'No such audit entry',
    explain: 'There is no such entry in the log of this team.',
  },
  checkpoint_not_genuine: {
    status: 400,
    title: 'This is no checkpoint of this log',
    explain:
      'The text is not a checkpoint that this service signed, or it is one of another team. What `GET /audit/checkpoint` answered goes back as it was; a `statement` of the log lines goes to `scope=instance`.',
  },
  search_too_wide: {
    status: 422,
    title: 'The search takes too long',
    explain:
      'Too many entries had to be looked through. Name `startDate` and `endDate` closer together, or filter by `userId` or `action` as well.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(AUDIT_ERRORS)
