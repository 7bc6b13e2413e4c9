import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WithdrawnGrant } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/own-applications.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import stack from '../../../ui/layout/stack.module.css'
import styles from '../../../ui/page/item-row.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { ApplicationLogo } from '../../../ui/values/application-logo'
import { RelativeTime } from '../../../ui/values/relative-time'
import { allowAgain, GRANTS, withdrawnQuery } from './queries'

/** Agents without a sign-in of their own, whose access can only be granted again here. Absent if there are none. */
export function BlockedAgents() {
  const agents = useQuery(withdrawnQuery)
  if (!agents.isError && !agents.data?.length) return null
  return (
    <Panel title={m.blocked()} about={m.blockedAbout()}>
      <div className={stack.fields}>
        {agents.isError && <LoadError error={agents.error} retry={() => agents.refetch()} />}
        {agents.data && agents.data.length > 0 && (
          <ul className={styles.list}>
            {agents.data.map((agent) => (
              <AgentRow key={agent.id} agent={agent} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  )
}

function AgentRow({ agent }: { agent: WithdrawnGrant }) {
  const { application, team, withdrawnAt } = agent
  const [asking, setAsking] = useState(false)
  const allow = useWrite({
    act: () => allowAgain(agent.id),
    refresh: [GRANTS],
    done: () => m.allowedAgain({ agent: application.name }),
    showsError: true,
  })
  return (
    <li className={styles.row}>
      <ApplicationLogo id={application.id} name={application.name} logoUrl={application.logoUrl} size={32} />
      <div className={styles.text}>
        <p className={styles.title}>{application.name}</p>
        <p className={styles.detail}>
          <span>{m.ofTeam({ team: team.name })}</span>
          <span>
            {m.blockedAt()} <RelativeTime at={withdrawnAt} />
          </span>
        </p>
      </div>
      <Button variant="default" aria-label={m.allowOf({ agent: application.name })} onClick={() => setAsking(true)}>
        {m.allow()}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={m.allowTitle({ agent: application.name })}
        text={m.allowText({ agent: application.name })}
        verb={m.allow()}
        gives
        act={() => allow.mutateAsync()}
        close={() => setAsking(false)}
      />
    </li>
  )
}
