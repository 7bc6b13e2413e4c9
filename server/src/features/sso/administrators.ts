import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { mailRecipients } from '../members/index.js'
import { permissionsOf, ROLES } from '../permissions/index.js'

const WRITERS = ROLES.filter((role) => permissionsOf(role).has('sso:write'))

/** Returns the email addresses of members who may write providers of the team. Runs in the caller's transaction. */
export const administratorsOf = async (tx: Transaction, teamId: TeamId): Promise<string[]> =>
  (await mailRecipients(tx, teamId, WRITERS)).map(({ email }) => email)
