import { Menu } from '@mantine/core'
import type { ReactElement } from 'react'
import m from '../../messages/en/users.json'
import { useCurrentTeam } from '../organizations/current-team'
import type { UserWrites } from './mutations'
import type { User } from './queries'
import type { UserAction } from './user-actions'

interface Props {
  user: User
  writes: UserWrites
  /** opens the dialog of an action */
  open: (action: UserAction) => void
  /** true inside of a dialog, to which assistive technology is limited */
  isInside?: boolean
  /** the button */
  children: ReactElement
}

/** The menu of the actions on a user that the role of the administrator allows, if any. */
export function UserMenu({ user, writes, open, isInside = false, children }: Props) {
  const { me } = useCurrentTeam()
  const canWrite = me.permissions.includes('users:write')
  const canReset = me.permissions.includes('users:credentials')
  if (!canWrite && !canReset) return null
  const isPending = user.status === 'pending'
  return (
    <Menu position="bottom-end" withinPortal={!isInside}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {canWrite && isPending && (
          <Menu.Item onClick={() => writes.resendInvitation.mutate()}>{m.resendInvitation()}</Menu.Item>
        )}
        {canWrite && <Menu.Item onClick={() => open('role')}>{m.changeRole()}</Menu.Item>}
        {canReset && !isPending && <Menu.Item onClick={() => open('reset')}>{m.sendReset()}</Menu.Item>}
        {canReset && <Menu.Item onClick={() => open('twoStep')}>{m.resetTwoStep()}</Menu.Item>}
        {canReset && <Menu.Item onClick={() => open('endSessions')}>{m.endSessions()}</Menu.Item>}
        {canWrite && <Menu.Item onClick={() => open('leave')}>{m.setLeaveDate()}</Menu.Item>}
        <Menu.Divider />
        {canReset && (
          <Menu.Item color="red" onClick={() => open('lockDown')}>
            {m.lockDown()}
          </Menu.Item>
        )}
        {canWrite && (
          <Menu.Item color="red" onClick={() => open('remove')}>
            {m.remove()}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
