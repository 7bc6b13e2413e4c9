import { Link } from '@tanstack/react-router'
import type { SessionUser } from '../api/contract'
import m from '../messages/en/palette.json'
import { useNavigation } from '../ui/document/navigation-context'
import { Icon } from '../ui/icons/icon'
import { AccountMenu } from './account-menu'
import { openPalette } from './palette'
import type { SectionGroup } from './sections'
import styles from './sidebar.module.css'
import { TeamMenu } from './team-menu'

interface Props {
  user: SessionUser
  /** names the navigation for assistive technology */
  label: string
  groups: SectionGroup[]
}

/** Team switcher, sections and account. */
export function Sidebar({ user, label, groups }: Props) {
  const close = useNavigation()?.close
  return (
    <div className={styles.sidebar}>
      <TeamMenu />
      <button
        type="button"
        className={styles.jump}
        onClick={() => {
          close?.()
          openPalette()
        }}
      >
        <Icon name="search" size={14} />
        <span className={styles.triggerName}>{m.open()}</span>
        <kbd>{m.shortcut()}</kbd>
      </button>
      <nav className={styles.nav} aria-label={label}>
        {groups
          .filter(({ sections }) => sections.length > 0)
          .map(({ name, sections }) => (
            <div key={name ?? ''} className={styles.group}>
              {name && <h2 className={styles.groupName}>{name}</h2>}
              {sections.map(({ to, params, icon, name, count, exact = true }) => (
                <Link
                  key={name}
                  to={to}
                  params={params as never}
                  activeOptions={{ exact, includeSearch: false }}
                  className={styles.link}
                  onClick={close}
                >
                  <Icon name={icon} />
                  {name}
                  {/* Not part of the name of the link, which stays the same. The page announces the number. */}
                  {count !== undefined && count > 0 && (
                    <span className={styles.count} aria-hidden="true">
                      {count.toLocaleString('en')}
                    </span>
                  )}
                </Link>
              ))}
            </div>
          ))}
      </nav>
      <AccountMenu user={user} />
    </div>
  )
}
