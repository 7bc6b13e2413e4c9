import type { RequestOrigin } from '../../platform/http/actor.js'
import type { TeamId, UserId } from '../../platform/ids.js'

/** A directory of a team that writes its members: nobody in person, with the rights of whoever answers for it. */
export interface DirectoryActor {
  userId: null
  teamId: TeamId
  /** What whoever made the token or saved the configuration might do then, and still may. */
  permissions: ReadonlySet<string>
  origin: RequestOrigin
  /** The user who created the token or saved the configuration, who answers for the mails that it causes. */
  responsibleId: UserId | null
  method: 'scim' | 'ldap'
  /** Which token or configuration it is, for the audit log: `{ token: id }`, `{ directory: id }`. */
  source: Record<string, string>
}

/** What each entry says of where the change came from. */
export const sourceOf = ({ method, source }: DirectoryActor): Record<string, string> => ({ method, ...source })
