import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import m from '../../../messages/en/applications.json'
import { announce } from '../../../ui/announcer'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import { useAttempt } from '../../mfa/use-attempt'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { startAgent, stopAgent } from '../queries'

/** The state of an AI agent, and the button that stops or starts it. */
export function AgentPanel() {
  const { team, me } = useCurrentTeam()
  const { id, name, stoppedAt, grantTypes } = useCurrentApplication()
  const [asking, setAsking] = useState(false)
  const { busy, problem, attempt } = useAttempt()
  const mayWrite = me.permissions.includes('applications:write')
  const exchanges = grantTypes.includes('urn:ietf:params:oauth:grant-type:token-exchange')
  const start = () =>
    attempt(async () => {
      await startAgent(team.id, id)
      announce(m.agentStarted({ agent: name }))
    })
  return (
    <Panel
      title={m.agentPanel()}
      about={exchanges ? m.agentExchanges() : m.agentAbout()}
      action={
        mayWrite &&
        (stoppedAt ? (
          <Button loading={busy} onClick={start}>
            {m.agentStart()}
          </Button>
        ) : (
          <Button color="red" onClick={() => setAsking(true)}>
            {m.agentStop()}
          </Button>
        ))
      }
    >
      <div className={stack.fields}>
        {stoppedAt ? (
          <Notice kind="warning" title={m.agentStoppedTitle()}>
            <p>
              {m.agentStoppedSince()} <RelativeTime at={stoppedAt} />. {m.agentStoppedText()}
            </p>
          </Notice>
        ) : (
          <p>
            <Badge color="green" leftSection={<Icon name="check" size={14} />}>
              {m.agentRuns()}
            </Badge>
          </p>
        )}
        <ProblemMessage problem={problem} />
      </div>
      <ConfirmDialog
        opened={asking}
        title={m.agentStopTitle({ agent: name })}
        text={m.agentStopText()}
        verb={m.agentStop()}
        act={async () => {
          await stopAgent(team.id, id)
          announce(m.agentStopped({ agent: name }))
        }}
        close={() => setAsking(false)}
      />
    </Panel>
  )
}
