import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { turnsOf } from '../teams/index.js'

const LAST_EDITOR = '(SELECT d.saved_by FROM directories d WHERE d.organization_id = organizations.id)'

/** Returns whose turns the sync of a team uses. Runs in the caller's transaction. */
export const turnsOfSync = (tx: Transaction, teamId: TeamId): Promise<TeamId> => turnsOf(tx, teamId, LAST_EDITOR)
