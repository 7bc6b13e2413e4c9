import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WithdrawnGrant } from '../../api/contract'
import m from '../../messages/en/own-applications.json'
import { announce } from '../../ui/announcer'
import { ApplicationLogo } from '../../ui/application-logo'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import styles from '../../ui/item-row.module.css'
import { LoadError } from '../../ui/load-error'
import { Notice } from '../../ui/notice'
import { Panel } from '../../ui/panel'
import { RelativeTime } from '../../ui/relative-time'
import stack from '../../ui/stack.module.css'
import { allowAgain, ofGrants, withdrawnQuery } from './calls'

/** Agents without a sign-in of their own, whose access can only be granted again here. Absent if there are none. */
export function TakenBack() {
  const queries = useQueryClient()
  const agents = useQuery(withdrawnQuery)
  const [said, setSaid] = useState<string | null>(null)

  async function allow({ id, application }: WithdrawnGrant) {
    await allowAgain(id)
    await queries.invalidateQueries(ofGrants)
    const text = m.allowedAgain({ agent: application.name })
    setSaid(text)
    announce(text)
  }

  if (!agents.isError && !agents.data?.length && !said) return null
  return (
    <Panel title={m.blocked()} about={m.blockedAbout()}>
      <div className={stack.fields}>
        {said && (
          <Notice kind="success">
            <p>{said}</p>
          </Notice>
        )}
        {agents.isError && <LoadError error={agents.error} retry={() => agents.refetch()} />}
        {agents.data && agents.data.length > 0 && (
          <ul className={styles.list}>
            {agents.data.map((agent) => (
              <AgentRow key={agent.id} agent={agent} allow={() => allow(agent)} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  )
}

function AgentRow({ agent, allow }: { agent: WithdrawnGrant; allow: () => Promise<void> }) {
  const { application, team, withdrawnAt } = agent
  const [asking, setAsking] = useState(false)
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
        act={allow}
        close={() => setAsking(false)}
      />
    </li>
  )
}
