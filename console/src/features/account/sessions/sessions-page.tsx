import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../../api/problem'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/sessions.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import styles from '../../../ui/page/item-row.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Page } from '../../../ui/page/page'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { devicesQuery } from '../security/factors/calls'
import { RememberedDevices } from '../security/factors/remembered-devices'
import { FactorDialog } from '../security/reauthenticate-dialog'
import { endOtherSessions, sessionsQuery } from './queries'
import { SessionGroupRow } from './session-group-row'
import { groupSessions } from './session-groups'

export function SessionsPage() {
  const queries = useQueryClient()
  const sessions = useQuery(sessionsQuery)
  // The sessions belong to the account. This session was started without a factor of the account, in a team that requires none.
  const needsFactor = sessions.error instanceof Problem && sessions.error.code === 'second_factor_required'
  const devices = useQuery({ ...devicesQuery, enabled: sessions.isSuccess })
  const [asking, setAsking] = useState(false)
  const [proving, setProving] = useState(false)
  const others = sessions.data?.filter((session) => !session.current) ?? []
  const { groups, others: otherDevices } = groupSessions(sessions.data ?? [], devices.data ?? [])
  const endOthers = useWrite({
    act: endOtherSessions,
    refresh: [sessionsQuery.queryKey],
    done: ({ ended }) => m.ended({ count: ended }),
    showsError: true,
  })

  if (needsFactor)
    return (
      <Page title={m.title()} lead={m.lead()}>
        <Panel title={m.verifyTitle()} about={m.verifyAbout()}>
          <Button onClick={() => setProving(true)}>{m.verify()}</Button>
        </Panel>
        <FactorDialog
          opened={proving}
          close={() => setProving(false)}
          confirmed={() => {
            setProving(false)
            queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
          }}
        />
      </Page>
    )
  return (
    <Page title={m.title()} lead={m.lead()}>
      <Panel
        title={m.signedIn()}
        about={sessions.data && others.length === 0 ? m.onlyThis() : undefined}
        action={
          others.length > 0 && (
            <Button variant="default" onClick={() => setAsking(true)}>
              {m.endOthers()}
            </Button>
          )
        }
      >
        {sessions.isPending && <RowsLoading rows={2} height={72} />}
        {sessions.isError && <LoadError error={sessions.error} retry={() => sessions.refetch()} />}
        {sessions.data && (
          <ul className={styles.list}>
            {groups.map((group) => (
              <SessionGroupRow key={group.id} group={group} />
            ))}
          </ul>
        )}
      </Panel>
      {!sessions.isPending && <RememberedDevices devices={devices} shown={otherDevices} />}
      <ConfirmDialog
        opened={asking}
        title={m.endOthersTitle()}
        text={m.endOthersText({ count: others.length })}
        verb={m.endOthers()}
        act={() => endOthers.mutateAsync()}
        close={() => setAsking(false)}
      />
    </Page>
  )
}
