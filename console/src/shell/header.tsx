import { Link } from '@tanstack/react-router'
import type { SessionUser } from '../api/contract'
import { Logo } from '../design/logo'
import { AccountMenu } from './account-menu'
import styles from './header.module.css'
import { TeamMenu } from './team-menu'

export function Header({ user }: { user: SessionUser }) {
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link to="/" className={styles.home}>
          <Logo size={28} />
        </Link>
        <TeamMenu />
        <div className={styles.end}>
          <AccountMenu user={user} />
        </div>
      </div>
    </header>
  )
}
