import type { DirectoryRunSummary, Me } from '../../../../api/contract'
import { ldapRunWords as words } from '../../../../words'

/** Who or what began a run; nothing where that account is gone. */
export function startedByOf({ scheduled, startedBy }: Pick<DirectoryRunSummary, 'scheduled' | 'startedBy'>, me: Me) {
  if (scheduled) return words.bySchedule
  if (startedBy === null) return ''
  return startedBy === me.user.id ? words.byYou : words.byAnother
}
