import { type ErrorTable, rejections } from '../../../platform/app-error.js'

export const DIRECTORY_ERRORS = {
  directory_not_found: {
    status: 404,
    title: 'The team has no LDAP directory',
    explain: 'Write its configuration first: `POST /api/v1/directory/ldap/config`.',
  },
  directory_disabled: {
    status: 409,
    title: 'The directory is disabled',
    explain: 'Its configuration contains `enabled: false`. Enable it to start a sync.',
  },
  directory_orphaned: {
    status: 403,
    title: 'The administrator who configured this directory no longer has access',
    explain:
      'A directory acts with the permissions of the last editor of its configuration, who may no longer write it. An administrator of the team must save the configuration again.',
  },
  directory_run_not_found: {
    status: 404,
    title: 'Run not found',
    explain: 'The directory of this team has no run with this ID. Runs are stored for 90 days.',
  },
  directory_run_finished: {
    status: 409,
    title: 'This run has already finished',
    explain: 'The run has completed, failed or been cancelled. Its changes remain.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(DIRECTORY_ERRORS)
