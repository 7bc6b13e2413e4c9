import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { PolicyId } from '../../platform/ids.js'
import type { Rule } from '../../protocols/policy/index.js'
import { teamColumn } from '../teams/index.js'

export const policies = pgTable(
  'policies',
  {
    id: uuid('id').$type<PolicyId>().primaryKey(),
    organizationId: teamColumn(),
    name: text('name').notNull(),
    description: text('description'),
    type: text('type').$type<'ACCESS' | 'SIGN_ON' | 'MFA' | 'PASSWORD'>().notNull(),
    effect: text('effect').$type<'ALLOW' | 'DENY'>().notNull(),
    /** A pattern: `*` matches any sequence of characters including separators. */
    resource: text('resource').notNull(),
    actions: text('actions').array().notNull(),
    rules: jsonb('rules').$type<Rule[]>().notNull(),
    conditions: jsonb('conditions').$type<Record<string, unknown>>().notNull(),
    priority: integer('priority').notNull(),
    enabled: boolean('enabled').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    index('policies_order').on(table.organizationId, table.priority, table.createdAt),
    index('policies_at_sign_in').on(table.organizationId).where(sql`type IN ('SIGN_ON', 'MFA') AND enabled`),
  ],
)
