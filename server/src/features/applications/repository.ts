import { and, desc, eq, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { labelsOf } from '../../platform/db/labels.js'
import { type ApplicationId, parseId, type TeamId } from '../../platform/ids.js'
import { organizations, teamError } from '../teams/index.js'
import { rejection } from './errors.js'
import type { Application } from './registration/registration.js'
import { applicationGroups, applications, applicationUsers } from './tables.js'

/** The kinds of assignees; each has a table of pairs. */
export type AssigneeKind = 'users' | 'groups'

export const PAIRS = {
  users: { table: applicationUsers, assignee: applicationUsers.userId },
  groups: { table: applicationGroups, assignee: applicationGroups.groupId },
} as const

/** The only SQL of this module, bound to one team. */
export const applicationRepository = (tx: Transaction, teamId: TeamId) => {
  const one = (id: ApplicationId) => and(eq(applications.id, id), eq(applications.organizationId, teamId))

  return {
    find: (id: ApplicationId): Promise<Application[]> => tx.select().from(applications).where(one(id)),

    lock: (id: ApplicationId): Promise<Application[]> =>
      tx.select().from(applications).where(one(id)).for('no key update'),

    /** Returns the applications, newest first. */
    list: (): Promise<Application[]> =>
      tx
        .select()
        .from(applications)
        .where(eq(applications.organizationId, teamId))
        .orderBy(desc(applications.createdAt), desc(applications.id)),

    /**
     * Inserts an application. The team is locked while its applications are counted, so concurrent requests cannot exceed the limit.
     * @throws limit_reached with the number of applications and the limit
     */
    async insert(values: Omit<typeof applications.$inferInsert, 'organizationId'>): Promise<Application> {
      const [team] = await tx
        .select({ maxApplications: organizations.maxApplications })
        .from(organizations)
        .where(eq(organizations.id, teamId))
        .for('no key update')
      const [places] = await tx
        .select({ taken: sql<number>`count(*)::int` })
        .from(applications)
        .where(eq(applications.organizationId, teamId))
      const taken = places?.taken ?? 0
      if (!team || taken >= team.maxApplications)
        throw teamError('limit_reached', {
          detail: `The team has ${taken} applications; its limit is ${team?.maxApplications ?? 0}`,
        })
      const [row] = await tx
        .insert(applications)
        .values({ ...values, organizationId: teamId })
        .returning()
      if (!row) throw new Error('The application was not written')
      return row
    },

    /** Updates the application and increments its version. */
    async update({ id }: Pick<Application, 'id'>, change: Partial<Application>): Promise<Application> {
      const [row] = await tx
        .update(applications)
        .set({ ...change, version: sql`${applications.version} + 1` })
        .where(one(id))
        .returning()
      if (!row) throw rejection('application_not_found')
      return row
    },

    /** Deletes the application with everything that belongs to it, and returns it. @throws application_not_found */
    async delete(id: string): Promise<Application> {
      const known = parseId<ApplicationId>(id)
      const [deleted] = known ? await tx.delete(applications).where(one(known)).returning() : []
      if (!deleted) throw rejection('application_not_found')
      return deleted
    },

    /** Returns the IDs of the assignees in ascending order. */
    async assigned(kind: AssigneeKind, { id }: Pick<Application, 'id'>): Promise<string[]> {
      const { table, assignee } = PAIRS[kind]
      const rows = await tx
        .select({ id: sql<string>`${assignee}` })
        .from(table)
        .where(eq(table.applicationId, id))
        .orderBy(assignee)
      return rows.map((row) => row.id)
    },

    /**
     * Replaces the set `before`, read under the application's lock, by `ids`. Uses two statements, independent of the size. Returns the
     * difference.
     */
    async assign(
      kind: AssigneeKind,
      { id }: Pick<Application, 'id'>,
      before: string[],
      ids: string[],
    ): Promise<{ added: string[]; removed: string[] }> {
      const { table, assignee } = PAIRS[kind]
      const [present, wanted] = [new Set(before), new Set(ids)]
      const removed = before.filter((each) => !wanted.has(each))
      const added = ids.filter((each) => !present.has(each))
      const coming = sql`unnest(${sql.param(added)}::uuid[])`
      if (removed.length > 0)
        await tx.execute(
          sql`DELETE FROM ${table} WHERE ${table.applicationId} = ${id} AND ${assignee} = ANY(${sql.param(removed)}::uuid[])`,
        )
      if (added.length > 0)
        await tx.execute(
          kind === 'users'
            ? sql`INSERT INTO ${table} (application_id, organization_id, user_id) SELECT ${id}::uuid, ${teamId}::uuid, ${coming} ON CONFLICT DO NOTHING`
            : sql`INSERT INTO ${table} (application_id, group_id) SELECT ${id}::uuid, ${coming} ON CONFLICT DO NOTHING`,
        )
      return { added, removed }
    },
  }
}

/** Returns the application. Runs in the caller's transaction. @throws application_not_found if the ID is malformed, unknown, or belongs to another team */
export async function findApplication(tx: Transaction, teamId: TeamId, id: string): Promise<Application> {
  const known = parseId<ApplicationId>(id)
  const [application] = known ? await applicationRepository(tx, teamId).find(known) : []
  if (!application) throw rejection('application_not_found')
  return application
}

/** Like `findApplication`, and locks the application and its assignment until the transaction ends. */
export async function lockApplication(tx: Transaction, teamId: TeamId, id: string): Promise<Application> {
  const known = parseId<ApplicationId>(id)
  const [application] = known ? await applicationRepository(tx, teamId).lock(known) : []
  if (!application) throw rejection('application_not_found')
  return application
}

/** Removes a scope from the registration, without incrementing the version. Runs in the caller's transaction. */
export async function removeScope(tx: Transaction, { id, organizationId }: Application, scope: string): Promise<void> {
  await tx
    .update(applications)
    .set({ scopes: sql`array_remove(${applications.scopes}, ${scope})` })
    .where(and(eq(applications.id, id), eq(applications.organizationId, organizationId)))
}

/** Increments the version after a change of dependent data, so that nodes discard what they cached. Runs in the caller's transaction. */
export async function countChange(tx: Transaction, clock: Clock, application: Application): Promise<void> {
  await applicationRepository(tx, application.organizationId).update(application, { updatedAt: clock.now() })
}

/** Returns the names of those of `ids` that are applications of the team. Runs in the caller's transaction. */
export const applicationNames = labelsOf(applications, applications.name)
