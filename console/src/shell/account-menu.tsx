import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { SessionUser } from '../api/contract'
import { signOut } from '../api/sign-out'
import { personName } from '../features/account/profile/person-name'
import common from '../messages/en/common.json'
import m from '../messages/en/navigation.json'
import { useNavigation } from '../ui/document/navigation-context'
import { Icon } from '../ui/icons/icon'
import { Monogram } from '../ui/values/monogram'
import styles from './sidebar.module.css'

export function AccountMenu({ user }: { user: SessionUser }) {
  const navigate = useNavigate()
  const { close, isDrawer = false } = useNavigation() ?? {}
  const name = personName(user)
  const go = (to: '/account' | '/account/security') => {
    close?.()
    navigate({ to })
  }
  return (
    <Menu position="top-start" width={240} withinPortal={!isDrawer}>
      <Menu.Target>
        <button
          type="button"
          className={`${styles.trigger} ${styles.account}`}
          aria-label={m.accountMenu({ email: user.email })}
        >
          <Monogram of={name ?? user.email} size={22} round />
          <span className={styles.triggerName}>{name ?? user.email}</span>
          <Icon name="dots" size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {/* Hidden from assistive technology: a menu contains only items, and the button's name has the address. */}
        <div className={styles.who} aria-hidden="true">
          <div className={styles.whoAs}>{name ?? m.signedInAs()}</div>
          <div className={styles.whoEmail}>{user.email}</div>
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="user" />} onClick={() => go('/account')}>
          {m.profile()}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="shieldLock" />} onClick={() => go('/account/security')}>
          {m.security()}
        </Menu.Item>
        <Menu.Divider />
        {/* If it fails, /logout gives the reason and offers to try again. */}
        <Menu.Item
          leftSection={<Icon name="signOut" />}
          onClick={() => signOut().catch(() => location.assign('/logout'))}
        >
          {common.signOut()}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
