import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { DirectoryId, TeamId, UserId } from '../../platform/ids.js'
import { savedNow } from '../members/index.js'
import { type DelegatedBy, isDelegated } from '../sessions/index.js'
import { organizations } from '../teams/index.js'
import type { Directory } from './directory.js'
import { directories } from './tables.js'

/** The directory of one team: it is bound once, so that no query can forget it. */
export const directoryRepository = (tx: Transaction, teamId: TeamId) => {
  const ofTeam = eq(directories.organizationId, teamId)
  return {
    async find(): Promise<Directory | undefined> {
      return (await tx.select().from(directories).where(ofTeam))[0]
    },

    /** As `find`; of those who write the first one too, one has its turn. */
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
        .values({ ...values, ...savedNow(values), organizationId: teamId })
        .returning()
      if (!row) throw new Error('The directory was not written')
      return row
    },

    /** Writes `change` to the locked directory and counts it: a reading that goes on ends. */
    async update(change: Partial<Directory>): Promise<Directory> {
      const [row] = await tx
        .update(directories)
        .set({ ...change, ...savedNow(change), version: sql`${directories.version} + 1` })
        .where(ofTeam)
        .returning()
      if (!row) throw new Error('The directory was deleted while it was locked')
      return row
    },

    /** Undefined when there is none. What it has imported stays. */
    async delete(): Promise<Directory | undefined> {
      return (await tx.delete(directories).where(ofTeam).returning())[0]
    },
  }
}

/** A step: writes what is known of a directory beside its settings. */
export async function noteDirectory(
  tx: Transaction,
  id: DirectoryId,
  noted: Partial<Pick<Directory, 'lastSyncAt' | 'lastFullSyncAt' | 'nextSyncAt'>>,
): Promise<void> {
  await tx.update(directories).set(noted).where(eq(directories.id, id))
}

/**
 * Clears the user as the last editor of directories, in any team or as `which` says: these act with nobody's permissions until an administrator saves them. Runs in
 * the caller's transaction.
 * @returns the team of each
 */
export async function orphanDirectoriesOf(tx: Transaction, userId: UserId, which?: DelegatedBy): Promise<TeamId[]> {
  const orphaned = await tx
    .update(directories)
    .set({ savedBy: null, temporarySetBy: null })
    .where(and(eq(directories.savedBy, userId), which && isDelegated(directories, which)))
    .returning({ teamId: directories.organizationId })
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
