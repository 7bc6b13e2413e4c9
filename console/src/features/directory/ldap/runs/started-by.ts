import type { DirectoryRunSummary, Me } from '../../../../api/contract'
import m from '../../../../messages/en/ldap-runs.json'

/** Returns by what a run was started; an empty string if that account was deleted. */
export function startedByOf({ scheduled, startedBy }: Pick<DirectoryRunSummary, 'scheduled' | 'startedBy'>, me: Me) {
  if (scheduled) return m.startedBy({ by: 'schedule' })
  if (startedBy === null) return ''
  return m.startedBy({ by: startedBy === me.user.id ? 'you' : 'other' })
}
