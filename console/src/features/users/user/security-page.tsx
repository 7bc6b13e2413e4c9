import { Button } from '@mantine/core'
import m from '../../../messages/en/users.json'
import { Panel } from '../../../ui/page/panel'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentUser } from './current-user'
import styles from './part.module.css'
import { FactorLines } from './security-part'
import { SessionsPart } from './sessions-part'

/** How the user signs in, and what ends their access: from daily help to the last resort. */
export function SecurityPage() {
  const { me } = useCurrentTeam()
  const { user, writes, open } = useCurrentUser()
  const canReset = me.permissions.includes('users:credentials')
  const canWrite = me.permissions.includes('users:write')
  const isPending = user.status === 'pending'
  return (
    <>
      <Panel title={m.twoStep()} action={canReset && <Action name={m.resetTwoStep()} run={() => open('twoStep')} />}>
        <ul className={styles.lines}>
          <FactorLines user={user} />
        </ul>
      </Panel>
      {canReset && !isPending && (
        <Panel
          title={m.password()}
          about={m.passwordAbout()}
          action={<Action name={m.sendReset()} run={() => open('reset')} />}
        />
      )}
      {canWrite && isPending && (
        <Panel
          title={m.invitation()}
          about={m.invitationAbout()}
          action={
            <Action
              name={m.resendInvitation()}
              run={() => writes.resendInvitation.mutate()}
              busy={writes.resendInvitation.isPending}
            />
          }
        />
      )}
      <div className={styles.card}>
        <SessionsPart
          user={user}
          action={canReset && <Action name={m.endSessions()} run={() => open('endSessions')} />}
        />
      </div>
      {(canWrite || user.leaveAt) && (
        <Panel
          title={m.leaveDate()}
          about={user.leaveAt ? m.leaveDateSet({ day: user.leaveAt.slice(0, 10) }) : m.leaveDateNone()}
          action={canWrite && <Action name={m.setLeaveDate()} run={() => open('leave')} />}
        />
      )}
      {canReset && (
        <Panel
          title={m.lockDown()}
          about={m.lockDownAbout()}
          action={<Action name={m.lockDown()} run={() => open('lockDown')} isDanger />}
        />
      )}
    </>
  )
}

interface ActionProps {
  name: string
  run: () => void
  busy?: boolean
  isDanger?: boolean
}

const Action = ({ name, run, busy = false, isDanger = false }: ActionProps) => (
  <Button variant="default" {...(isDanger && { c: 'red' })} loading={busy} onClick={run}>
    {name}
  </Button>
)
