import { ActionIcon, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/users.json'
import { Icon } from '../../../ui/icons/icon'
import { DetailDrawer, type Place } from '../../../ui/page/detail-drawer'
import { CopyText } from '../../../ui/values/copy-text'
import { Monogram } from '../../../ui/values/monogram'
import { useCurrentTeam } from '../../organizations/current-team'
import { useUserWrites } from '../mutations'
import type { User } from '../queries'
import { StatusButton } from '../status-button'
import { UserDialogs, useUserAction } from '../user-actions'
import { UserMenu } from '../user-menu'
import { userName } from '../user-name'
import { UserStatus } from '../user-status'
import { AccessPart } from './access-part'
import { ActivityPart } from './activity-part'
import { PartAction } from './part'
import styles from './part.module.css'
import { ProfilePart } from './profile-part'
import { SecurityPart } from './security-part'

/** The most applications that the drawer lists. */
const MAX_APPLICATIONS = 6

interface Props {
  user: User
  /** in the list */
  place: Place
}

/** The details of a user beside the list, with the actions of daily work. */
export function UserDrawer({ user, place }: Props) {
  const { team, me } = useCurrentTeam()
  const name = userName(user)
  const writes = useUserWrites(user.id, name)
  const { action, open, close: closeDialog } = useUserAction()
  const can = (permission: string) => me.permissions.includes(permission)
  const link = { to: '/t/$slug/users/$id', params: { slug: team.slug, id: user.id } } as const
  return (
    <>
      <DetailDrawer
        label={name}
        {...place}
        actions={
          <>
            <ActionIcon
              renderRoot={(props) => <Link {...link} {...props} />}
              variant="subtle"
              color="gray"
              aria-label={m.openPage()}
              title={m.openPage()}
            >
              <Icon name="expand" />
            </ActionIcon>
            <UserMenu user={user} writes={writes} open={open} isInside>
              <ActionIcon variant="subtle" color="gray" aria-label={common.moreActions()} title={common.moreActions()}>
                <Icon name="dots" />
              </ActionIcon>
            </UserMenu>
          </>
        }
        picture={<Monogram of={name} size={40} round />}
        title={name}
        subtitle={<CopyText text={user.email} label={m.emailAddress()} />}
        badge={<UserStatus status={user.status} />}
        footer={
          (can('users:write') || can('users:credentials')) && (
            <>
              {can('users:write') && <StatusButton user={user} suspend={() => open('suspend')} writes={writes} />}
              {can('users:credentials') && user.status !== 'pending' && (
                <Button variant="default" onClick={() => open('reset')}>
                  {m.sendReset()}
                </Button>
              )}
              {can('users:write') && user.status === 'pending' && (
                <Button variant="default" onClick={() => writes.resendInvitation.mutate()}>
                  {m.resendInvitation()}
                </Button>
              )}
            </>
          )
        }
      >
        <ProfilePart
          user={user}
          action={can('users:write') && <PartAction name={m.edit()} run={() => open('edit')} />}
        />
        <AccessPart
          user={user}
          limit={MAX_APPLICATIONS}
          action={<PartAction name={m.checkAccess()} run={() => open('access')} />}
        />
        <SecurityPart user={user} open={can('users:credentials') ? open : undefined} />
        <ActivityPart
          user={user}
          limit={5}
          action={
            <Link to="/t/$slug/users/$id/activity" params={link.params} className={styles.link}>
              {m.viewAllActivity()}
            </Link>
          }
        />
      </DetailDrawer>
      <UserDialogs user={user} writes={writes} action={action} close={closeDialog} removed={place.close} />
    </>
  )
}
