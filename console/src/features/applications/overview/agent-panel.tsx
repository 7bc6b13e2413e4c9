import { Button } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/applications.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { RelativeTime } from '../../../ui/values/relative-time'
import { StatusBadge } from '../../../ui/values/status-badge'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { applicationsQuery, startAgent, stopAgent } from '../queries'

/** The state of an AI agent, and the button that stops or starts it. */
export function AgentPanel() {
  const { team, me } = useCurrentTeam()
  const { id, name, stoppedAt, grantTypes } = useCurrentApplication()
  const [isConfirming, setIsConfirming] = useState(false)
  const mayWrite = me.permissions.includes('applications:write')
  const exchanges = grantTypes.includes('urn:ietf:params:oauth:grant-type:token-exchange')
  const refresh = [applicationsQuery(team.id).queryKey]
  const start = useWrite({
    act: () => startAgent(team.id, id),
    refresh,
    done: () => m.agentStarted({ agent: name }),
  })
  const stop = useWrite({
    act: () => stopAgent(team.id, id),
    refresh,
    done: () => m.agentStopped({ agent: name }),
    showsError: true,
  })
  return (
    <Panel
      title={m.agentPanel()}
      about={exchanges ? m.agentExchanges() : m.agentAbout()}
      action={
        <span className={stack.row}>
          {!stoppedAt && <StatusBadge tone="ok">{m.agentRuns()}</StatusBadge>}
          {mayWrite &&
            (stoppedAt ? (
              <Button loading={start.isPending} onClick={() => start.mutate()}>
                {m.agentStart()}
              </Button>
            ) : (
              <Button variant="outline" color="red" onClick={() => setIsConfirming(true)}>
                {m.agentStop()}
              </Button>
            ))}
        </span>
      }
    >
      {stoppedAt && (
        <Notice kind="warning" title={m.agentStoppedTitle()}>
          <p>
            {m.agentStoppedSince()} <RelativeTime at={stoppedAt} />. {m.agentStoppedText()}
          </p>
        </Notice>
      )}
      <ConfirmDialog
        opened={isConfirming}
        title={m.agentStopTitle({ agent: name })}
        text={m.agentStopText()}
        verb={m.agentStop()}
        act={() => stop.mutateAsync()}
        close={() => setIsConfirming(false)}
      />
    </Panel>
  )
}
