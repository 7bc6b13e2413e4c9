import { Badge } from '@mantine/core'
import type { Application } from '../../api/contract'
import m from '../../messages/en/applications.json'
import { Icon } from '../../ui/icons/icon'
import stack from '../../ui/layout/stack.module.css'
import { kindOf } from './application-kind'

export function KindBadge({ application }: { application: Application }) {
  const kind = kindOf(application)
  return kind === 'agent' ? (
    <span className={stack.row}>
      <Badge color="blue" leftSection={<Icon name="agent" size={14} />}>
        {m.kindName({ kind })}
      </Badge>
      {application.stoppedAt && (
        <Badge color="red" leftSection={<Icon name="alert" size={14} />}>
          {m.stoppedBadge()}
        </Badge>
      )}
    </span>
  ) : (
    <Badge>{m.kindName({ kind })}</Badge>
  )
}

/** Returns the protocol and the kind of an application in one line. */
export const typeOf = (application: Application) => {
  const kind = kindOf(application)
  return m.typeName({ kind, name: m.kindName({ kind }) })
}
