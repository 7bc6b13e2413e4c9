import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const DIRECTORY_ERRORS = {
  directory_not_found: {
    status: 404,
    title: 'The team has no LDAP directory',
    explain: 'Write its configuration first: `POST /api/v1/directory/ldap/config`.',
  },
  directory_disabled: {
    status: 409,
    title: 'The directory is switched off',
    explain: 'Its configuration says `enabled: false`. Switch it on to read it.',
  },
  directory_orphaned: {
    status: 403,
    title: 'Nobody answers for this directory',
    explain:
      'A directory acts by the rights of whoever saved its configuration last, and they may no longer write it. An administrator of the team has to save it once more.',
  },
  directory_run_not_found: {
    status: 404,
    title: 'No such run',
    explain: 'The directory of this team has no run with this id. Runs are kept for 90 days.',
  },
  directory_run_finished: {
    status: 409,
    title: 'This run is over',
    explain: 'The run has completed, failed or been cancelled already; what it did stays.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(DIRECTORY_ERRORS)
