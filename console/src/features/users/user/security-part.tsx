import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/users.json'
import { Icon } from '../../../ui/icons/icon'
import { groupByDevice } from '../../../ui/values/device-groups'
import { useCurrentTeam } from '../../organizations/current-team'
import { type User, userSessionsQuery } from '../queries'
import type { UserAction } from '../user-actions'
import { Part, PartAction, PartError } from './part'
import styles from './part.module.css'

interface Props {
  user: User
  /** opens the dialog of an action; absent if the administrator may not reset credentials */
  open?: ((action: UserAction) => void) | undefined
}

/** The second factors and the sessions of a user in a few lines, for the drawer. */
export function SecurityPart({ user, open }: Props) {
  const { team } = useCurrentTeam()
  const sessions = useQuery(userSessionsQuery(team.id, user.id))
  const count = sessions.data?.length ?? 0
  const devices = groupByDevice(sessions.data ?? []).map(({ device }) => device)
  return (
    <Part title={m.security()} action={open && <PartAction name={m.resetTwoStep()} run={() => open('twoStep')} />}>
      <ul className={styles.lines}>
        <FactorLines user={user} />
        {sessions.data && (
          <li>
            <Icon name="devices" />
            <span className={styles.fixed}>{count === 0 ? m.noSessions() : m.sessionCount({ count })}</span>
            <span className={styles.detail} title={devices.join(', ')}>
              {devices.join(', ')}
            </span>
            {open && count > 0 && (
              <span className={styles.end}>
                <PartAction name={m.endSessions()} run={() => open('endSessions')} />
              </span>
            )}
          </li>
        )}
      </ul>
      {sessions.isError && <PartError error={sessions.error} />}
    </Part>
  )
}

/** The kinds of second factors that are valid in the team, each in a line. */
export function FactorLines({ user: { factors = [] } }: { user: User }) {
  if (factors.length === 0)
    return (
      <li data-warn>
        <Icon name="shieldOff" />
        <span className={styles.name}>{m.noFactors()}</span>
      </li>
    )
  return factors.map((factor) => (
    <li key={factor}>
      <Icon name={factor === 'PASSKEY' ? 'passkey' : 'phone'} />
      <span className={styles.name}>{m.factorName({ factor })}</span>
    </li>
  ))
}
