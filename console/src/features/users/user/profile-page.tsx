import m from '../../../messages/en/users.json'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentUser } from './current-user'
import { PartAction } from './part'
import styles from './part.module.css'
import { MembershipPart, ProfileFields } from './profile-part'

/** Who the user is, and how they belong to the team. */
export function ProfilePage() {
  const { me } = useCurrentTeam()
  const { user, open } = useCurrentUser()
  const canWrite = me.permissions.includes('users:write')
  return (
    <div className={styles.cards}>
      <div className={styles.card}>
        <ProfileFields user={user} action={canWrite && <PartAction name={m.edit()} run={() => open('edit')} />} />
      </div>
      <div className={styles.card}>
        <MembershipPart
          user={user}
          action={canWrite && <PartAction name={m.changeRole()} run={() => open('role')} />}
        />
      </div>
    </div>
  )
}
