import { sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { organizations, turnsOf } from '../organizations/index.js'
import { directories } from './tables.js'

const lastEditor = sql`(SELECT ${directories.savedBy} FROM ${directories} WHERE ${directories.organizationId} = ${organizations.id})`

/** Returns whose turns the sync of a team uses. Runs in the caller's transaction. */
export const turnsOfSync = (tx: Transaction, teamId: TeamId): Promise<TeamId> => turnsOf(tx, teamId, lastEditor)
