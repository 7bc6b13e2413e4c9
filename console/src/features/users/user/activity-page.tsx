import m from '../../../messages/en/users.json'
import { useCurrentTeam } from '../../organizations/current-team'
import { ActivityPart } from './activity-part'
import { useCurrentUser } from './current-user'
import { DeniedPart } from './part'
import styles from './part.module.css'
import { maySee } from './tabs'

/** The latest events of the user in the audit log of the team. */
export function ActivityPage() {
  const { user } = useCurrentUser()
  const { me } = useCurrentTeam()
  return (
    <div className={styles.card}>
      {maySee('activity', me.permissions) ? (
        <ActivityPart user={user} limit={50} isDetailed />
      ) : (
        <DeniedPart title={m.activity()} />
      )}
    </div>
  )
}
