import { ActionIcon, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import m from '../../messages/en/users.json'
import { DetailDrawer, type Place } from '../../ui/detail-drawer'
import { Icon } from '../../ui/icons/icon'
import { Monogram } from '../../ui/monogram'
import { useCurrentTeam } from '../organizations/current-team'
import { useUserWrites } from './mutations'
import type { User } from './queries'
import { UserDialogs, useUserAction } from './user-actions'
import { UserMenu } from './user-menu'
import { userName } from './user-name'
import { AccessPart, ActivityPart, PartAction, ProfilePart, SessionsPart } from './user-panels'
import { UserStatus } from './user-status'

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
            <Icon name="expand" size={16} />
          </ActionIcon>
          <UserMenu user={user} writes={writes} open={open}>
            <ActionIcon variant="subtle" color="gray" aria-label={m.moreActions()} title={m.moreActions()}>
              <Icon name="dots" size={16} />
            </ActionIcon>
          </UserMenu>
        </>
      }
      picture={<Monogram of={name} size={40} round />}
      title={name}
      subtitle={user.email}
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
      <ProfilePart user={user} action={can('users:write') && <PartAction name={m.edit()} run={() => open('edit')} />} />
      <AccessPart user={user} action={<PartAction name={m.checkAccess()} run={() => open('access')} />} />
      <SessionsPart
        user={user}
        action={can('users:credentials') && <PartAction name={m.endSessions()} run={() => open('endSessions')} />}
      />
      <ActivityPart user={user} limit={5} />
      <UserDialogs user={user} writes={writes} action={action} close={closeDialog} removed={place.close} />
    </DetailDrawer>
  )
}

interface StatusProps {
  user: User
  suspend: () => void
  writes: ReturnType<typeof useUserWrites>
}

/** Suspends, after a question, or activates. */
export function StatusButton({ user, suspend, writes }: StatusProps) {
  if (user.status === 'suspended')
    return (
      <Button variant="default" loading={writes.activate.isPending} onClick={() => writes.activate.mutate()}>
        {m.activate()}
      </Button>
    )
  return (
    <Button variant="default" c="red" leftSection={<Icon name="ban" size={16} />} onClick={suspend}>
      {m.suspend()}
    </Button>
  )
}
