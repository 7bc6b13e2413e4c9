import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import { announce } from '../../../ui/announcer'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import { applicationWords as words } from '../../../words'
import { useAttempt } from '../../mfa/use-attempt'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { startAgent, stopAgent } from '../queries'

/** Whether an AI agent runs, how it acts for people, and the switch that ends all of it at once. */
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
      announce(words.agentStarted(name))
    })
  return (
    <Panel
      title={words.agentPanel}
      about={exchanges ? words.agentExchanges : words.agentAbout}
      action={
        mayWrite &&
        (stoppedAt ? (
          <Button loading={busy} onClick={start}>
            {words.agentStart}
          </Button>
        ) : (
          <Button color="red" onClick={() => setAsking(true)}>
            {words.agentStop}
          </Button>
        ))
      }
    >
      <div className={stack.fields}>
        {stoppedAt ? (
          <Notice kind="warning" title={words.agentStoppedTitle}>
            <p>
              {words.agentStoppedSince} <RelativeTime at={stoppedAt} />. {words.agentStoppedText}
            </p>
          </Notice>
        ) : (
          <p>
            <Badge color="green" leftSection={<Icon name="check" size={14} />}>
              {words.agentRuns}
            </Badge>
          </p>
        )}
        <ProblemMessage problem={problem} />
      </div>
      <ConfirmDialog
        opened={asking}
        title={words.agentStopTitle(name)}
        text={words.agentStopText}
        verb={words.agentStop}
        act={async () => {
          await stopAgent(team.id, id)
          announce(words.agentStopped(name))
        }}
        close={() => setAsking(false)}
      />
    </Panel>
  )
}
