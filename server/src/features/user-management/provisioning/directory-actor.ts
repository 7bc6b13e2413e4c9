import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'

/** A team's directory as the actor of a change, with permissions delegated by its creator or last editor. */
export interface DirectoryActor {
  userId: null
  teamId: TeamId
  /** Those that the creator or last editor had when saving, and still has. */
  permissions: ReadonlySet<string>
  origin: RequestOrigin
  /** The creator or last editor, to whom the mails are attributed. */
  responsibleId: UserId | null
  method: 'scim' | 'ldap'
  /** The token or configuration, for the audit log: `{ token: id }`, `{ directory: id }`. */
  source: Record<string, string>
}

/** Returns the origin of the change, for audit metadata. */
export const sourceOf = ({ method, source }: DirectoryActor): Record<string, string> => ({ method, ...source })
