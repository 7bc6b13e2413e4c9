import { Link, Outlet } from '@tanstack/react-router'
import { Icon, type IconName } from '../design/icons/icon'
import { layoutWords as words } from '../words'
import styles from './account-layout.module.css'

const sections = [
  { to: '/account', icon: 'person', name: words.sections.profile },
  { to: '/account/security', icon: 'lock', name: words.sections.security },
  { to: '/account/sessions', icon: 'laptop', name: words.sections.sessions },
  { to: '/account/teams', icon: 'people', name: words.sections.teams },
] as const satisfies { to: string; icon: IconName; name: string }[]

export function AccountLayout() {
  return (
    <div className={styles.layout}>
      <nav className={styles.nav} aria-label={words.accountSections}>
        {sections.map(({ to, icon, name }) => (
          <Link key={to} to={to} activeOptions={{ exact: true }} className={styles.link}>
            <Icon name={icon} />
            {name}
          </Link>
        ))}
      </nav>
      <main id="page" tabIndex={-1} className={styles.page}>
        <Outlet />
      </main>
    </div>
  )
}
