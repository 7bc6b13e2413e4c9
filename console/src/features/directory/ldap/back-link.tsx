import { Link } from '@tanstack/react-router'
import m from '../../../messages/en/ldap.json'
import { useCurrentTeam } from '../../organizations/current-team'

/** The link from a page below the LDAP directory to its overview. */
export function BackLink() {
  const { team } = useCurrentTeam()
  return (
    <div>
      <Link to="/t/$slug/directory/ldap" params={{ slug: team.slug }}>
        {m.toOverview()}
      </Link>
    </div>
  )
}
