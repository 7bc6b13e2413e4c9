import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { DirectoryId, DirectoryRunId, GroupId, TeamId, UserId } from '../../platform/ids.js'
import { groups } from '../groups/index.js'
import { memberships } from '../members/index.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'
import type { RunOrigin } from './deps.js'

const organizationId = () =>
  uuid('organization_id')
    .$type<TeamId>()
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' })
const directoryId = () =>
  uuid('directory_id')
    .$type<DirectoryId>()
    .notNull()
    .references(() => directories.id, { onDelete: 'cascade' })

/** How a team's directory is reached and read. A team has one at most. */
export const directories = pgTable(
  'directories',
  {
    id: uuid('id').$type<DirectoryId>().primaryKey(),
    organizationId: organizationId(),
    enabled: boolean('enabled').notNull(),
    /** `active-directory` or `openldap`: which attributes and filters hold where none are written. */
    preset: text('preset').$type<'active-directory' | 'openldap'>().notNull(),
    url: text('url').notNull(),
    startTls: boolean('start_tls').notNull(),
    /** PEM of the authorities that may have issued its certificate; null: those of the system. */
    caCertificate: text('ca_certificate'),
    baseDn: text('base_dn').notNull(),
    bindDn: text('bind_dn').notNull(),
    /** Sealed. */
    bindPassword: text('bind_password').notNull(),
    userFilter: text('user_filter').notNull(),
    groupFilter: text('group_filter').notNull(),
    /** Attribute of the directory → field of the profile. */
    attributeMapping: jsonb('attribute_mapping').$type<Record<string, string>>().notNull(),
    /** Minutes between two readings; 0: only when somebody asks. */
    scheduleMinutes: integer('schedule_minutes').notNull(),
    /** Whether its people sign in with the password that they have there. */
    signInEnabled: boolean('sign_in_enabled').notNull(),
    /** Counts the changes: a reading that was begun before one does not go on after it. */
    version: integer('version').notNull(),
    /** By whose rights it acts; null when that account is gone. */
    savedBy: uuid('saved_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    /** Their account's epoch when they saved it; in a later one they no longer act through it. */
    savedEpoch: integer('saved_epoch').notNull().default(0),
    /** The member who set the temporary password that started the session in which it was saved. */
    temporarySetBy: uuid('temporary_set_by').$type<UserId>(),
    /** What they might do when they saved it (an API token less than who made it): it never does more. */
    savedPermissions: text('saved_permissions').array().notNull(),
    /** When the last reading was completed. */
    lastSyncAt: timestampColumn('last_sync_at'),
    /** When the last reading was completed that compared everything, by these settings. */
    lastFullSyncAt: timestampColumn('last_full_sync_at'),
    /** When it is read next; null without a schedule. */
    nextSyncAt: timestampColumn('next_sync_at'),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('directories_organization').on(table.organizationId),
    index('directories_saved_by').on(table.savedBy),
    index('directories_due').on(table.nextSyncAt).where(sql`next_sync_at IS NOT NULL`),
  ],
)

/** What went wrong with one entry, or with the reading as a whole (then without `dn`). */
export interface RunFailure {
  dn: string | null
  email: string | null
  code: string
  message: string
}

/** What a dry run would do. */
export interface PlannedChange {
  what: 'create' | 'update' | 'suspend' | 'create_group' | 'update_group' | 'empty_group'
  dn: string
  name: string
}

export interface RunCounts {
  /** Entries that were looked at, users and groups. */
  processed: number
  created: number
  updated: number
  unchanged: number
  suspended: number
  groupsCreated: number
  groupsUpdated: number
  /** How many users were put into groups, and taken out. */
  membersAdded: number
  membersRemoved: number
  /** References to other servers, which are not followed. */
  references: number
  /** Entries that were refused; the first of them stand in `failures`. */
  failed: number
}

/** One reading of a directory: how far it is and what came of it. */
export const directoryRuns = pgTable(
  'directory_runs',
  {
    id: uuid('id').$type<DirectoryRunId>().primaryKey(),
    organizationId: organizationId(),
    directoryId: directoryId(),
    status: text('status').$type<'running' | 'completed' | 'failed' | 'cancelled'>().notNull(),
    phase: text('phase')
      .$type<'waiting' | 'connecting' | 'users' | 'groups' | 'members' | 'leavers' | 'done'>()
      .notNull(),
    dryRun: boolean('dry_run').notNull(),
    /** Whether everything is compared, or what the server says has changed. */
    mode: text('mode').$type<'full' | 'incremental'>().notNull().default('full'),
    /** Whether many who left may be suspended. */
    confirmLeavers: boolean('confirm_leavers').notNull(),
    /** Who asked for it; null for the schedule, and when that account is gone. */
    startedBy: uuid('started_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    scheduled: boolean('scheduled').notNull(),
    /** Of the request that asked for it. */
    origin: jsonb('origin').$type<RunOrigin>().notNull(),
    /** How many entries there will be, where that is known: as many as there were. */
    total: integer('total').notNull(),
    counts: jsonb('counts').$type<RunCounts>().notNull(),
    failures: jsonb('failures').$type<RunFailure[]>().notNull(),
    planned: jsonb('planned').$type<PlannedChange[]>().notNull(),
    /** Why it failed as a whole. */
    error: text('error'),
    detail: text('detail'),
    /** Who works on it, and until when others leave it to them. */
    runner: uuid('runner'),
    leasedUntil: timestampColumn('leased_until'),
    createdAt: timestampColumn('created_at').notNull(),
    finishedAt: timestampColumn('finished_at'),
  },
  (table) => [
    // Of two who start one at once, one does.
    uniqueIndex('directory_runs_running').on(table.directoryId).where(sql`status = 'running'`),
    index('directory_runs_newest').on(table.organizationId, table.createdAt, table.id),
    index('directory_runs_directory').on(table.directoryId),
    index('directory_runs_finished').on(table.finishedAt),
    index('directory_runs_started_by').on(table.startedBy),
  ],
)

/**
 * What is known of the entries of a directory: by which key each is found again, and whom or what it is here. A reading that finds nothing
 * new writes none of them.
 */
export const directoryEntries = pgTable(
  'directory_entries',
  {
    directoryId: directoryId(),
    /** Its number among the entries of the directory: by it a reading remembers in a bit whether it was seen. */
    no: integer('no').notNull(),
    kind: text('kind').$type<'user' | 'group'>().notNull(),
    /** SHA-256 of the identifier that the server never changes, with the name of its attribute. */
    key: bytes('key').notNull(),
    dn: text('dn').notNull(),
    /** SHA-256 of the name as it is compared; by it members of groups are named. */
    dnHash: bytes('dn_hash').notNull(),
    /** SHA-256 of the login name, by which groups of POSIX name their members. */
    uidHash: bytes('uid_hash'),
    /** SHA-256 of everything that was taken over: where it is the same nothing is to do. */
    contentHash: bytes('content_hash').notNull(),
    /** The fields of the profile that came from it: one that it no longer has is emptied here, and no other. */
    fields: text('fields').array().notNull(),
    organizationId: uuid('organization_id').$type<TeamId>().notNull(),
    userId: uuid('user_id').$type<UserId>(),
    groupId: uuid('group_id')
      .$type<GroupId>()
      .references(() => groups.id, { onDelete: 'cascade' }),
    /** What the directory said of the person last: somebody whom an administrator suspended stays so until that changes. */
    active: boolean('active').notNull(),
    /** The mark of the entry that was taken over, which changes there with the entry; null: the next reading looks at it whatever that says. */
    mark: text('mark'),
    /** Since when it is no longer there; null while it is. */
    goneSince: timestampColumn('gone_since'),
  },
  (table) => [
    primaryKey({ columns: [table.directoryId, table.no] }),
    uniqueIndex('directory_entries_key').on(table.directoryId, table.kind, table.key),
    index('directory_entries_dn').on(table.directoryId, table.dnHash),
    index('directory_entries_uid').on(table.directoryId, table.uidHash).where(sql`uid_hash IS NOT NULL`),
    index('directory_entries_user').on(table.userId, table.organizationId),
    index('directory_entries_group').on(table.groupId),
    // Whoever is removed from the team is forgotten, and comes back by the next reading like somebody new.
    foreignKey({
      name: 'directory_entries_membership',
      columns: [table.userId, table.organizationId],
      foreignColumns: [memberships.userId, memberships.organizationId],
    }).onDelete('cascade'),
  ],
)

/** Whom the groups of a directory name as members, people and other groups, as the directory says it. */
export const directoryMembers = pgTable(
  'directory_members',
  {
    directoryId: directoryId(),
    groupNo: integer('group_no').notNull(),
    /** The `dn_hash` or `uid_hash` of the member. */
    member: bytes('member').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.directoryId, table.groupNo, table.member] }),
    index('directory_members_member').on(table.directoryId, table.member),
    foreignKey({
      name: 'directory_members_group',
      columns: [table.directoryId, table.groupNo],
      foreignColumns: [directoryEntries.directoryId, directoryEntries.no],
    }).onDelete('cascade'),
  ],
)
