import m from '../../../messages/en/users.json'
import { useCurrentTeam } from '../../organizations/current-team'
import { AccessPart, GroupsPart } from './access-part'
import { useCurrentUser } from './current-user'
import { DeniedPart, PartAction } from './part'
import styles from './part.module.css'
import { maySee } from './tabs'

/** The applications that the user can open, and the groups that give access. */
export function AccessPage() {
  const { user, open } = useCurrentUser()
  const { me } = useCurrentTeam()
  if (!maySee('access', me.permissions))
    return (
      <div className={styles.card}>
        <DeniedPart title={m.access()} />
      </div>
    )
  return (
    <div className={styles.cards}>
      <div className={styles.card}>
        <AccessPart user={user} action={<PartAction name={m.checkAccess()} run={() => open('access')} />} />
      </div>
      <div className={styles.card}>
        <GroupsPart user={user} />
      </div>
    </div>
  )
}
