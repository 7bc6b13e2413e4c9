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
import type { DirectoryId, DirectoryRunId, GroupId, OriginId, TeamId, UserId } from '../../platform/ids.js'
import { groups } from '../groups/index.js'
import { memberships } from '../members/index.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'
import type { RunOrigin } from './model/deps.js'

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

/** Connection and sync settings of a team's directory. A team has at most one. */
export const directories = pgTable(
  'directories',
  {
    id: uuid('id').$type<DirectoryId>().primaryKey(),
    organizationId: organizationId(),
    enabled: boolean('enabled').notNull(),
    /** `active-directory` or `openldap`: selects the default filters. */
    preset: text('preset').$type<'active-directory' | 'openldap'>().notNull(),
    url: text('url').notNull(),
    startTls: boolean('start_tls').notNull(),
    /** The CA certificates (PEM) that may have issued the server's certificate; null for those of the system. */
    caCertificate: text('ca_certificate'),
    baseDn: text('base_dn').notNull(),
    bindDn: text('bind_dn').notNull(),
    /** Encrypted. */
    bindPassword: text('bind_password').notNull(),
    userFilter: text('user_filter').notNull(),
    groupFilter: text('group_filter').notNull(),
    /** Maps attributes of the directory to profile fields. */
    attributeMapping: jsonb('attribute_mapping').$type<Record<string, string>>().notNull(),
    /** The number of entries of a page; null for the default. */
    pageSize: integer('page_size'),
    /** Minutes between two syncs; 0 for manual syncs only. */
    scheduleMinutes: integer('schedule_minutes').notNull(),
    /** Whether users sign in with their directory password. */
    signInEnabled: boolean('sign_in_enabled').notNull(),
    /** Incremented by every change of the settings: a sync that began with an earlier version is aborted. */
    version: integer('version').notNull(),
    /** The last editor, with whose permissions the directory acts; null if that account is gone. */
    savedBy: uuid('saved_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    /** The epoch of the last editor's account when the directory was saved; in a later epoch the directory no longer acts for the account. */
    savedEpoch: integer('saved_epoch').notNull().default(0),
    /** The origin of the session in which the directory was saved. */
    temporarySetBy: uuid('temporary_set_by').$type<OriginId>(),
    /** The permissions of the last editor's session or API token when the directory was saved: an upper limit for the directory. */
    savedPermissions: text('saved_permissions').array().notNull(),
    /** When the last sync completed. */
    lastSyncAt: timestampColumn('last_sync_at'),
    /** When the last full sync with these settings completed. */
    lastFullSyncAt: timestampColumn('last_full_sync_at'),
    /** The time of the next sync; null without a schedule. */
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

/** An entry that could not be applied, or an error of the whole sync (without `dn`). */
export interface RunFailure {
  dn: string | null
  email: string | null
  code: string
  message: string
}

/** A change that a dry run found. */
export interface PlannedChange {
  what: 'create' | 'update' | 'suspend' | 'create_group' | 'update_group' | 'empty_group'
  dn: string
  name: string
}

/** The counts of a run at its beginning. */
export const ZERO_COUNTS = {
  /** Processed entries, users and groups. */
  processed: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  suspended: 0,
  groupsCreated: 0,
  groupsUpdated: 0,
  /** The number of users added to groups, and removed from them. */
  membersAdded: 0,
  membersRemoved: 0,
  /** Referrals to other servers, which are not followed. */
  references: 0,
  /** Rejected entries; `failures` contains the first of them. */
  failed: 0,
}
export type RunCounts = typeof ZERO_COUNTS

/** One sync of a directory: its progress and result. */
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
    /** `full`: every entry is compared; `incremental`: only those that the server reports as changed. */
    mode: text('mode').$type<'full' | 'incremental'>().notNull().default('full'),
    /** Whether an unusually large number of leavers may be suspended. */
    confirmLeavers: boolean('confirm_leavers').notNull(),
    /** The user who started the run; null for the schedule, and if that account is gone. */
    startedBy: uuid('started_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    scheduled: boolean('scheduled').notNull(),
    /** The origin of the request that started the run. */
    origin: jsonb('origin').$type<RunOrigin>().notNull(),
    /** The number of entries before this run, as an estimate; 0 if unknown. */
    total: integer('total').notNull(),
    counts: jsonb('counts').$type<RunCounts>().notNull(),
    failures: jsonb('failures').$type<RunFailure[]>().notNull(),
    planned: jsonb('planned').$type<PlannedChange[]>().notNull(),
    /** The error code if the run failed as a whole. */
    error: text('error'),
    detail: text('detail'),
    /** The process that has the lease of the run, and the end of the lease. */
    runner: uuid('runner'),
    leasedUntil: timestampColumn('leased_until'),
    createdAt: timestampColumn('created_at').notNull(),
    finishedAt: timestampColumn('finished_at'),
  },
  (table) => [
    // At most one run of a directory at a time, also across nodes.
    uniqueIndex('directory_runs_running').on(table.directoryId).where(sql`status = 'running'`),
    index('directory_runs_newest').on(table.organizationId, table.createdAt, table.id),
    index('directory_runs_directory').on(table.directoryId),
    index('directory_runs_finished').on(table.finishedAt),
    index('directory_runs_started_by').on(table.startedBy),
  ],
)

/** The imported entries of a directory: the key of each, and its user or group. A sync without changes writes none of them. */
export const directoryEntries = pgTable(
  'directory_entries',
  {
    directoryId: directoryId(),
    /** The number of the entry within its directory; a sync tracks it in a bit set. */
    no: integer('no').notNull(),
    kind: text('kind').$type<'user' | 'group'>().notNull(),
    /** SHA-256 of the immutable identifier and the name of its attribute. */
    key: bytes('key').notNull(),
    dn: text('dn').notNull(),
    /** SHA-256 of the normalized DN, by which groups list their members. */
    dnHash: bytes('dn_hash').notNull(),
    /** SHA-256 of the login name, by which POSIX groups list their members. */
    uidHash: bytes('uid_hash'),
    /** SHA-256 of all imported values; if it is equal, the entry is unchanged. */
    contentHash: bytes('content_hash').notNull(),
    /** The profile fields that came from the entry: only these are cleared when the entry no longer has them. */
    fields: text('fields').array().notNull(),
    organizationId: uuid('organization_id').$type<TeamId>().notNull(),
    userId: uuid('user_id').$type<UserId>(),
    groupId: uuid('group_id')
      .$type<GroupId>()
      .references(() => groups.id, { onDelete: 'cascade' }),
    /** The last status in the directory: a user whom an administrator suspended remains suspended until this status changes. */
    active: boolean('active').notNull(),
    /** The change marker of the imported version of the entry; null: the next sync reads the entry regardless of its current one. */
    changeMarker: text('mark'),
    /** When the entry disappeared; null while it is present. */
    goneSince: timestampColumn('gone_since'),
  },
  (table) => [
    primaryKey({ columns: [table.directoryId, table.no] }),
    uniqueIndex('directory_entries_key').on(table.directoryId, table.kind, table.key),
    index('directory_entries_dn').on(table.directoryId, table.dnHash),
    index('directory_entries_uid').on(table.directoryId, table.uidHash).where(sql`uid_hash IS NOT NULL`),
    index('directory_entries_user').on(table.userId, table.organizationId),
    index('directory_entries_group').on(table.groupId),
    // Removing a member deletes the entry, so the next sync imports the user as new.
    foreignKey({
      name: 'directory_entries_membership',
      columns: [table.userId, table.organizationId],
      foreignColumns: [memberships.userId, memberships.organizationId],
    }).onDelete('cascade'),
  ],
)

/** The members, users and nested groups, that each group of a directory lists. */
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
