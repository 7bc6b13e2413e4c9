import { Badge } from '@mantine/core'
import type { Application } from '../../api/contract'
import { Icon } from '../../design/icons/icon'
import { applicationWords as words } from '../../words'
import { kindOf } from './application-kind'

export function KindBadge({ application }: { application: Application }) {
  const kind = kindOf(application)
  return kind === 'agent' ? (
    <Badge color="blue" leftSection={<Icon name="agent" size={14} />}>
      {words.found.agent}
    </Badge>
  ) : (
    <Badge>{words.found[kind]}</Badge>
  )
}
