import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { DirectoryId, TeamId, UserId } from '../../../platform/ids.js'
import { currentEpochOfEditor, endSignInEditors } from '../../members/index.js'
import { type DelegatedBy, isDelegated } from '../../sessions/index.js'
import { organizations } from '../../teams/index.js'
import { directories } from '../tables.js'
import type { Directory } from './directory.js'

/** Queries for the directory of one team. */
export const directoryRepository = (tx: Transaction, teamId: TeamId) => {
  const ofTeam = eq(directories.organizationId, teamId)
  return {
    async find(): Promise<Directory | undefined> {
      return (await tx.select().from(directories).where(ofTeam))[0]
    },

    /** Like `find`, but locks the directory. Locks the team too, so that concurrent creations are serialized. */
    async lock(): Promise<Directory | undefined> {
      await tx
        .select({ id: organizations.id })
        .from(organizations)
        .where(eq(organizations.id, teamId))
        .for('no key update')
      return (await tx.select().from(directories).where(ofTeam).for('no key update'))[0]
    },

    async insert(values: Omit<Directory, 'organizationId' | 'savedEpoch'>): Promise<Directory> {
      const [row] = await tx
        .insert(directories)
        .values({ ...values, ...currentEpochOfEditor(values), organizationId: teamId })
        .returning()
      if (!row) throw new Error('The directory was not written')
      return row
    },

    /** Updates the locked directory and increments its version, which aborts a running sync. */
    async update(change: Partial<Directory>): Promise<Directory> {
      const [row] = await tx
        .update(directories)
        .set({ ...change, ...currentEpochOfEditor(change), version: sql`${directories.version} + 1` })
        .where(ofTeam)
        .returning()
      if (!row) throw new Error('The directory was deleted while it was locked')
      return row
    },

    /** Returns undefined if there is none. Imported users and groups remain. */
    async delete(): Promise<Directory | undefined> {
      return (await tx.delete(directories).where(ofTeam).returning())[0]
    },
  }
}

/** Stores the sync times of a directory. Its version remains, so that a running sync continues. Runs in the caller's transaction. */
export async function recordSyncTimes(
  tx: Transaction,
  id: DirectoryId,
  times: Partial<Pick<Directory, 'lastSyncAt' | 'lastFullSyncAt' | 'nextSyncAt'>>,
): Promise<void> {
  await tx.update(directories).set(times).where(eq(directories.id, id))
}

/**
 * Removes the user as last editor from all their directories, or from those that `which` selects. Such a directory has no permissions until an
 * administrator saves it. Runs in the caller's transaction.
 * @returns the IDs of the affected teams
 */
export async function orphanDirectoriesOf(tx: Transaction, userId: UserId, which?: DelegatedBy): Promise<TeamId[]> {
  const orphaned = await tx
    .update(directories)
    .set({ savedBy: null, temporarySetBy: null })
    .where(and(eq(directories.savedBy, userId), which && isDelegated(directories, which)))
    .returning({ teamId: directories.organizationId, id: directories.id })
  if (which && 'temporary' in which)
    await endSignInEditors(
      tx,
      userId,
      orphaned.map(({ id }) => id),
    )
  return orphaned.map(({ teamId }) => teamId)
}

/** Clears the last editor of the team's directory: it is not used until an administrator saves it. Runs in the caller's transaction. */
export async function orphanDirectoriesOfTeam(tx: Transaction, teamId: TeamId): Promise<number> {
  const orphaned = await tx
    .update(directories)
    .set({ savedBy: null })
    .where(eq(directories.organizationId, teamId))
    .returning({ id: directories.id })
  return orphaned.length
}
