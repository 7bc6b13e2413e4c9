import { Badge } from '@mantine/core'
import type { DirectoryRunSummary } from '../../../../api/contract'
import m from '../../../../messages/en/ldap-runs.json'
import { Icon } from '../../../../ui/icons/icon'
import { outcomeOf } from './run-outcome'

const looks = {
  running: { color: 'blue', icon: 'circle' },
  succeeded: { color: 'green', icon: 'done' },
  problems: { color: 'yellow', icon: 'warning' },
  failed: { color: 'red', icon: 'alert' },
  cancelled: { color: 'gray', icon: 'minus' },
} as const

/** The outcome of a run. */
export function RunBadge({ run }: { run: Pick<DirectoryRunSummary, 'status' | 'failures'> }) {
  const outcome = outcomeOf(run)
  const { color, icon } = looks[outcome]
  return (
    <Badge color={color} leftSection={<Icon name={icon} size={14} />}>
      {m.outcome({ outcome })}
    </Badge>
  )
}
