import { and, desc, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import { type ApplicationId, parseId, type TeamId } from '../../platform/ids.js'
import { organizations, teamError } from '../teams/index.js'
import { rejection } from './errors.js'
import type { Application } from './registration.js'
import { applicationGroups, applications, applicationUsers } from './tables.js'

/** To whom an application can be assigned: each kind has a table of pairs. */
export type AssigneeKind = 'users' | 'groups'

export const PAIRS = {
  users: { table: applicationUsers, assignee: applicationUsers.userId },
  groups: { table: applicationGroups, assignee: applicationGroups.groupId },
} as const

/** The only SQL of this room. The team is bound once, so that no query can forget it. */
export const applicationRepository = (tx: Transaction, teamId: TeamId) => {
  const one = (id: ApplicationId) => and(eq(applications.id, id), eq(applications.organizationId, teamId))

  return {
    /** Undefined for an unknown id, for one of another team, and for a text that is none alike. */
    async find(id: string): Promise<Application | undefined> {
      const known = parseId<ApplicationId>(id)
      return known && (await tx.select().from(applications).where(one(known)))[0]
    },

    /** As `find`; whoever changes the application or its assignment takes turns until the transaction ends. */
    async lock(id: string): Promise<Application | undefined> {
      const known = parseId<ApplicationId>(id)
      return known && (await tx.select().from(applications).where(one(known)).for('no key update'))[0]
    },

    /** Newest first. */
    list: (): Promise<Application[]> =>
      tx
        .select()
        .from(applications)
        .where(eq(applications.organizationId, teamId))
        .orderBy(desc(applications.createdAt), desc(applications.id)),

    /**
     * The team's row is locked while its applications are counted, so that of two that are made at once not both take the last place.
     * @throws limit_reached with the number of applications and the limit
     */
    async insert(values: Omit<Application, 'organizationId'>): Promise<Application> {
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

    /** Writes `change` and counts it. */
    async update({ id }: Pick<Application, 'id'>, change: Partial<Application>): Promise<Application> {
      const [row] = await tx
        .update(applications)
        .set({ ...change, version: sql`${applications.version} + 1` })
        .where(one(id))
        .returning()
      if (!row) throw rejection('application_not_found')
      return row
    },

    removeScope: ({ id }: Pick<Application, 'id'>, scope: string) =>
      tx
        .update(applications)
        .set({ scopes: sql`array_remove(${applications.scopes}, ${scope})` })
        .where(one(id)),

    /** Deletes it with everything that hangs on it; undefined when there is none. */
    async delete(id: string): Promise<Application | undefined> {
      const known = parseId<ApplicationId>(id)
      return known && (await tx.delete(applications).where(one(known)).returning())[0]
    },

    /** The ids in ascending order. */
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
     * Makes `ids` the whole set of which `before` is the present one, read under the application's lock; in two statements, however
     * large it is. Answers who came and who went.
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

/** A step. @throws application_not_found for an unknown id, for one of another team, and for a text that is none alike */
export async function findApplication(tx: Transaction, teamId: TeamId, id: string): Promise<Application> {
  const application = await applicationRepository(tx, teamId).find(id)
  if (!application) throw rejection('application_not_found')
  return application
}
