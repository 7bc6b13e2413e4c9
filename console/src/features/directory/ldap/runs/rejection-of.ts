import type { DirectoryRun } from '../../../../api/contract'
import m from '../../../../messages/en/ldap-runs.json'

/** Returns why an entry was rejected; the message of the service for an unknown code. */
export const rejectionOf = ({ code, message }: Pick<DirectoryRun['failed'][number], 'code' | 'message'>): string =>
  m.rejection({ code }) || message
