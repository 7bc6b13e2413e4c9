import { Badge } from '@mantine/core'
import type { Interaction } from '../../../api/contract'
import m from '../../../messages/en/consent.json'
import deviceMessages from '../../../messages/en/device.json'
import { ApplicationLogo } from '../../../ui/application-logo'
import { Icon } from '../../../ui/icons/icon'
import stack from '../../../ui/stack.module.css'

/** The logo of the requesting application, with a badge for devices and AI agents. */
export function AskingApplication({ application, isAiAgent, device }: Interaction) {
  return (
    <div className={stack.row}>
      <ApplicationLogo id={application.id} name={application.name} logoUrl={application.logoUrl} size={48} />
      {isAiAgent && (
        <Badge color="blue" size="lg" leftSection={<Icon name="agent" size={16} />}>
          {m.agent()}
        </Badge>
      )}
      {device && (
        <Badge size="lg" leftSection={<Icon name="laptop" size={16} />}>
          {deviceMessages.badge()}
        </Badge>
      )}
    </div>
  )
}
