import { Switch } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/application-access.json'
import common from '../../../messages/en/common.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import { Panel } from '../../../ui/page/panel'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { applicationsQuery, changeApplication } from '../queries'

/** Switches between access for everyone and for assigned users. @param assigned number of assigned users and groups */
export function AccessPolicy({ assigned }: { assigned: number }) {
  const { team } = useCurrentTeam()
  const { id, assignmentRequired } = useCurrentApplication()
  const [isConfirming, setIsConfirming] = useState(false)
  const act = (required: boolean) => changeApplication(team.id, id, { assignmentRequired: required })
  const refresh = [applicationsQuery(team.id).queryKey, [team.id, 'users']]
  const done = () => common.saved()
  const save = useWrite({ act, refresh, done })
  const confirmed = useWrite({ act, refresh, done, showsError: true })
  const toggle = (required: boolean) => {
    if (required && assigned === 0) setIsConfirming(true)
    else save.mutate(required)
  }
  return (
    <Panel
      title={m.policy()}
      about={assignmentRequired ? m.assignedOnly({ count: assigned }) : m.everyone({ team: team.name })}
    >
      <Switch
        checked={assignmentRequired}
        onChange={(event) => toggle(event.currentTarget.checked)}
        aria-busy={save.isPending || undefined}
        label={m.assignmentSwitch()}
        description={m.assignmentSwitchHint()}
      />
      <ConfirmDialog
        opened={isConfirming}
        title={m.closeTitle()}
        text={m.closeText()}
        verb={m.closeVerb()}
        act={() => confirmed.mutateAsync(true)}
        close={() => setIsConfirming(false)}
      />
    </Panel>
  )
}
