import { Link } from '@tanstack/react-router'
import styles from '../../../ui/tabbed-page.module.css'
import { ldapWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'

/** The way back from a page about the LDAP directory. */
export function ToLdap() {
  const { team } = useCurrentTeam()
  return (
    <Link to="/t/$slug/directory/ldap" params={{ slug: team.slug }} className={styles.back}>
      {words.toOverview}
    </Link>
  )
}
