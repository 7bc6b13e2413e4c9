import { NeedsPermission } from '../applications/needs-permission'
import { useCurrentTeam } from '../organizations/current-team'

/** What a directory that writes by SCIM is given, and what it did. */
export function ScimPage() {
  const { me } = useCurrentTeam()
  return me.permissions.includes('scim:token') ? null : <NeedsPermission permission="scim:token" />
}
