import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { SessionUser } from '../api/contract'
import { signOut } from '../api/sign-out'
import { Icon } from '../design/icons/icon'
import { Monogram } from '../design/monogram'
import { personName } from '../features/identities/person-name'
import { layoutWords as words } from '../words'
import styles from './header.module.css'

export function AccountMenu({ user }: { user: SessionUser }) {
  const navigate = useNavigate()
  const name = personName(user)
  return (
    <Menu position="bottom-end" width={260} shadow="md">
      <Menu.Target>
        <button type="button" className={styles.trigger} aria-label={words.accountMenu(user.email)}>
          <Monogram of={name ?? user.email} size={32} round />
          <Icon name="down" size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {/* For the eye: to assistive technology a menu holds items only, and the button that opens it has said this already. */}
        <div className={styles.who} aria-hidden="true">
          <div className={styles.whoAs}>{name ?? words.signedInAs}</div>
          <div className={styles.whoEmail}>{user.email}</div>
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="person" />} onClick={() => navigate({ to: '/account' })}>
          {words.account}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="lock" />} onClick={() => navigate({ to: '/account/security' })}>
          {words.sections.security}
        </Menu.Item>
        <Menu.Divider />
        {/* Where it fails, /logout says why and offers to try again. */}
        <Menu.Item
          leftSection={<Icon name="leave" />}
          onClick={() => signOut().catch(() => navigate({ to: '/logout' }))}
        >
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
