import { and, asc, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { ApplicationId, GroupId, TeamId, UserId } from '../../../platform/ids.js'
import { groupMembers, groups } from '../../groups/index.js'
import { type AssigneeKind, PAIRS } from '../repository.js'
import { applicationGroups, applications, applicationUsers } from '../tables.js'

export interface NamedApplication {
  id: ApplicationId
  name: string
}

/** An application that a user has through groups, with these groups. */
export interface InheritedApplication extends NamedApplication {
  via: { id: GroupId; name: string }[]
}

/** The added and removed assignments, and the applications that were closed to all others. */
export interface AssignmentChange {
  added: ApplicationId[]
  removed: ApplicationId[]
  closed: ApplicationId[]
}

/** The assignments of one user or one group of the team. */
export const assigneeRepository = (
  tx: Transaction,
  teamId: TeamId,
  kind: AssigneeKind,
  assigneeId: UserId | GroupId,
) => {
  const { table, assignee } = PAIRS[kind]
  const mine = sql`${assignee} = ${assigneeId}`

  return {
    /** Returns the assigned applications by name. */
    assigned: (): Promise<NamedApplication[]> =>
      tx
        .select({ id: applications.id, name: applications.name })
        .from(table)
        .innerJoin(applications, eq(applications.id, table.applicationId))
        .where(and(mine, eq(applications.organizationId, teamId)))
        .orderBy(asc(applications.name), asc(applications.id)),

    /**
     * Locks the applications of `ids` and those that are already assigned, in the order of their IDs to prevent deadlocks. Returns those of
     * this team.
     */
    async lockTouched(ids: ApplicationId[]): Promise<Set<ApplicationId>> {
      const rows = await tx
        .select({ id: applications.id })
        .from(applications)
        .where(
          and(
            eq(applications.organizationId, teamId),
            sql`(${applications.id} = ANY(${sql.param(ids)}::uuid[]) OR EXISTS (
              SELECT 1 FROM ${table} WHERE ${table.applicationId} = ${applications.id} AND ${mine}))`,
          ),
        )
        .orderBy(applications.id)
        .for('no key update')
      return new Set(rows.map(({ id }) => id))
    },

    /**
     * Replaces the set by `ids`, which are locked, increments the version of every changed application, and closes those without any
     * previous assignment. One statement keeps the locks short.
     */
    async replace(ids: ApplicationId[], now: Date): Promise<AssignmentChange> {
      const wanted = sql`${sql.param(ids)}::uuid[]`
      const insert =
        kind === 'users'
          ? sql`INSERT INTO ${table} (application_id, organization_id, user_id) SELECT unnest(${wanted}), ${teamId}::uuid, ${assigneeId}::uuid`
          : sql`INSERT INTO ${table} (application_id, group_id) SELECT unnest(${wanted}), ${assigneeId}::uuid`
      // Every part of the statement sees the assignments from before it.
      const { rows } = await tx.execute<{ id: ApplicationId; is_added: boolean; is_closed: boolean }>(
        sql`WITH removed AS (
            DELETE FROM ${table} WHERE ${mine} AND ${table.applicationId} <> ALL(${wanted})
              AND ${table.applicationId} IN (SELECT id FROM ${applications} WHERE organization_id = ${teamId}) RETURNING application_id AS id),
          added AS (${insert} ON CONFLICT DO NOTHING RETURNING application_id AS id),
          changed AS (
            SELECT id, false AS is_added, false AS is_first FROM removed
            UNION ALL
            SELECT id, true, NOT EXISTS (SELECT 1 FROM ${applicationUsers} au WHERE au.application_id = added.id)
              AND NOT EXISTS (SELECT 1 FROM ${applicationGroups} ag WHERE ag.application_id = added.id) FROM added)
          UPDATE ${applications} a SET version = a.version + 1, updated_at = ${now.toISOString()}::timestamptz,
            assignment_required = a.assignment_required OR changed.is_first
          FROM changed, ${applications} before WHERE a.id = changed.id AND before.id = a.id
          RETURNING a.id, changed.is_added, changed.is_first AND NOT before.assignment_required AS is_closed`,
      )
      const idsOf = (which: typeof rows) => which.map(({ id }) => id)
      return {
        added: idsOf(rows.filter((row) => row.is_added)),
        removed: idsOf(rows.filter((row) => !row.is_added)),
        closed: idsOf(rows.filter((row) => row.is_closed)),
      }
    },
  }
}

/** SQL: moves the assignments of users with their memberships, for `createMoveMemberships`. */
export const MOVE_APPLICATION_USERS =
  'UPDATE application_users a SET user_id = :to FROM moved WHERE a.user_id = :from AND a.organization_id = moved.organization_id'

/** Returns the applications that the user has through groups, by name, with these groups. Runs in the caller's transaction. */
export const inheritedApplicationsOf = (
  tx: Transaction,
  teamId: TeamId,
  userId: UserId,
): Promise<InheritedApplication[]> =>
  tx
    .select({
      id: applications.id,
      name: applications.name,
      via: sql<
        InheritedApplication['via']
      >`jsonb_agg(jsonb_build_object('id', ${groups.id}, 'name', ${groups.name}) ORDER BY ${groups.name})`,
    })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .innerJoin(applicationGroups, eq(applicationGroups.groupId, groups.id))
    .innerJoin(applications, eq(applications.id, applicationGroups.applicationId))
    .where(and(eq(groupMembers.userId, userId), eq(groupMembers.organizationId, teamId)))
    .groupBy(applications.id)
    .orderBy(asc(applications.name), asc(applications.id))
