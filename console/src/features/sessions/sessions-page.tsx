import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SignedInDevice } from '../../api/contract'
import { Problem } from '../../api/problem'
import m from '../../messages/en/sessions.json'
import { announce } from '../../ui/announcer'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import styles from '../../ui/item-row.module.css'
import { LoadError } from '../../ui/load-error'
import { Notice } from '../../ui/notice'
import { Page } from '../../ui/page'
import { Panel } from '../../ui/panel'
import { RowsLoading } from '../../ui/rows-loading'
import { FactorDialog } from '../credentials/reauthenticate-dialog'
import { RememberedDevices } from '../mfa/remembered-devices'
import { endOtherSessions, endSession, sessionsQuery } from './queries'
import { SessionRow } from './session-row'

export function SessionsPage() {
  const queries = useQueryClient()
  const sessions = useQuery(sessionsQuery)
  const [asking, setAsking] = useState(false)
  const [proving, setProving] = useState(false)
  const [said, setSaid] = useState<string | null>(null)
  const others = sessions.data?.filter((session) => !session.current) ?? []

  async function afterwards(count: number) {
    // Refresh the list before the message, so that they agree.
    await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    const text = m.ended({ count })
    setSaid(text)
    announce(text)
  }

  const endOne = (session: SignedInDevice) => endSession(session.id).then(() => afterwards(1))
  const endOthers = () => endOtherSessions().then(({ ended }) => afterwards(ended))

  // The devices belong to the account. This session was started without a factor of the account, in a team that requires none.
  if (sessions.error instanceof Problem && sessions.error.code === 'second_factor_required')
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
      {said && (
        <Notice kind="success">
          <p>{said}</p>
        </Notice>
      )}
      <Panel
        title={m.signedIn()}
        about={sessions.data && others.length === 0 ? m.onlyThis() : undefined}
        action={
          others.length > 0 && (
            <Button variant="default" onClick={() => setAsking(true)}>
              {m.endOthers({ count: others.length })}
            </Button>
          )
        }
      >
        {sessions.isPending && <RowsLoading rows={2} height={72} />}
        {sessions.isError && <LoadError error={sessions.error} retry={() => sessions.refetch()} />}
        {sessions.data && (
          <ul className={styles.list}>
            {[...sessions.data]
              .sort((a, b) => Number(b.current) - Number(a.current))
              .map((session) => (
                <SessionRow key={session.id} session={session} end={() => endOne(session)} />
              ))}
          </ul>
        )}
      </Panel>
      <RememberedDevices />
      <ConfirmDialog
        opened={asking}
        title={m.endOthersTitle()}
        text={m.endOthersText({ count: others.length })}
        verb={m.endOthers({ count: others.length })}
        act={endOthers}
        close={() => setAsking(false)}
      />
    </Page>
  )
}
