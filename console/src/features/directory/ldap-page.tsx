import { NeedsPermission } from '../applications/needs-permission'
import { useCurrentTeam } from '../organizations/current-team'

/** How the team's LDAP directory is reached, and what its readings did. */
export function LdapPage() {
  const { me } = useCurrentTeam()
  return me.permissions.includes('directory:read') ? null : <NeedsPermission permission="directory:read" />
}
