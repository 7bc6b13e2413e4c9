import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'

/** A team's directory (SCIM client or LDAP server) as the actor of a change, with the delegated permissions of its creator or last editor. */
export interface DirectoryActor {
  userId: null
  teamId: TeamId
  /** The permissions that the creator or last editor had when the directory was saved, and still has. */
  permissions: ReadonlySet<string>
  origin: RequestOrigin
  /** The creator or last editor, whose limits apply to the mails that the change causes. */
  responsibleId: UserId | null
  method: 'scim' | 'ldap'
  /** The SCIM token or the LDAP configuration, for the audit log: `{ token: id }` or `{ directory: id }`. */
  source: Record<string, string>
}

/** Returns the audit metadata that names the directory. */
export const auditMetadataOf = ({ method, source }: DirectoryActor): Record<string, string> => ({ method, ...source })
