import { Badge } from '@mantine/core'
import type { DirectoryRunSummary } from '../../../../api/contract'
import { Icon } from '../../../../ui/icons/icon'
import { ldapRunWords as words } from '../../../../words'
import { outcomeOf } from './run-outcome'

const looks = {
  running: { color: 'blue', icon: 'circle' },
  succeeded: { color: 'green', icon: 'done' },
  problems: { color: 'yellow', icon: 'warning' },
  failed: { color: 'red', icon: 'alert' },
  cancelled: { color: 'gray', icon: 'minus' },
} as const

/** What a run came to. */
export function RunBadge({ run }: { run: Pick<DirectoryRunSummary, 'status' | 'failures'> }) {
  const outcome = outcomeOf(run)
  const { color, icon } = looks[outcome]
  return (
    <Badge color={color} leftSection={<Icon name={icon} size={14} />}>
      {words.outcome(outcome)}
    </Badge>
  )
}
