import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Runner, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { type PolicyId, parseId, type TeamId } from '../../platform/ids.js'
import type { Effect, Rule } from '../../protocols/policy/index.js'
import { teamError } from '../teams/index.js'
import { rejection } from './errors.js'
import type { Definition, Policy, PolicyType } from './policy-definition.js'
import { policies } from './tables.js'

const MAX_POLICIES = 10_000
/** Bytes of actions, conditions and rules of a team that a node may have to read and cache. */
const MAX_BYTES = 16 * 1_048_576
/** Bytes of the policies that apply to sign-ins: they compile in about 100 ms, which a sign-in may have to wait for. */
const MAX_SIGN_ON_BYTES = 524_288

const BYTES = sql`octet_length(${policies.conditions}::text) + octet_length(${policies.rules}::text) + octet_length(${policies.actions}::text)`

/** The policies of a team. Writers lock the team first, with `bumpPolicyVersion` at the latest, and so are serialized. */
export const policyRepository = (tx: Transaction, teamId: TeamId) => {
  const one = (id: PolicyId) => and(eq(policies.id, id), eq(policies.organizationId, teamId))

  return {
    /** @throws policy_not_found if the ID is malformed, unknown, or belongs to another team */
    async find(id: string): Promise<Policy> {
      const known = parseId<PolicyId>(id)
      const [policy] = known ? await tx.select().from(policies).where(one(known)) : []
      if (!policy) throw rejection('policy_not_found')
      return policy
    },

    /** Returns the policies in the order of evaluation. */
    list: (type: PolicyType | undefined): Promise<Policy[]> =>
      tx
        .select()
        .from(policies)
        .where(and(eq(policies.organizationId, teamId), type && eq(policies.type, type)))
        .orderBy(desc(policies.priority), asc(policies.createdAt), asc(policies.id)),

    async insert(values: Omit<Policy, 'organizationId'>): Promise<Policy> {
      const [row] = await tx
        .insert(policies)
        .values({ ...values, organizationId: teamId })
        .returning()
      if (!row) throw new Error('The policy was not written')
      return row
    },

    async update({ id }: Pick<Policy, 'id'>, change: Definition & Pick<Policy, 'updatedAt'>): Promise<Policy> {
      const [row] = await tx.update(policies).set(change).where(one(id)).returning()
      if (!row) throw new Error('The policy was not written')
      return row
    },

    /** Deletes the policy and returns it. @throws policy_not_found */
    async delete(id: string): Promise<Policy> {
      const known = parseId<PolicyId>(id)
      const [policy] = known ? await tx.delete(policies).where(one(known)).returning() : []
      if (!policy) throw rejection('policy_not_found')
      return policy
    },

    /**
     * Verifies the limits after a write that may have increased the size.
     * @param hasMoreAtSignIn whether the write may have increased the policies that apply to sign-ins; a team above that limit from an
     *   earlier version may still reduce them
     * @throws limit_reached with the size and the limit
     */
    async rejectBeyondLimits(hasMoreAtSignIn: boolean): Promise<void> {
      const [total] = await tx
        .select({
          count: sql<number>`count(*)::int`,
          bytes: sql<number>`coalesce(sum(${BYTES}), 0)::float8`,
          bytesAtSignIn: sql<number>`coalesce(sum(${BYTES} + octet_length(${policies.resource})) FILTER (WHERE ${policies.type} IN ('SIGN_ON', 'MFA') AND ${policies.enabled}), 0)::float8`,
        })
        .from(policies)
        .where(eq(policies.organizationId, teamId))
      const { count, bytes, bytesAtSignIn } = total ?? { count: 0, bytes: 0, bytesAtSignIn: 0 }
      if (count > MAX_POLICIES)
        throw teamError('limit_reached', {
          detail: `The team has ${count - 1} policies; its limit is ${MAX_POLICIES}`,
        })
      if (bytes > MAX_BYTES)
        throw teamError('limit_reached', {
          detail: `The policies of the team would take ${bytes} bytes; the limit is ${MAX_BYTES}`,
        })
      if (hasMoreAtSignIn && bytesAtSignIn > MAX_SIGN_ON_BYTES)
        throw teamError('limit_reached', {
          detail: `The policies of the team that decide at sign-in would take ${bytesAtSignIn} bytes; the limit is ${MAX_SIGN_ON_BYTES}`,
        })
    },
  }
}

/** The deciding fields of a policy; all null if the team has none. */
export interface DecidingRow {
  version: number
  id: PolicyId | null
  name: string
  effect: Effect
  priority: number
  createdAt: Date
  resource: string
  actions: string[]
  conditions: Record<string, unknown>
  enabled: boolean
}

const DECIDING_FIELDS = `o.policy_version AS version, p.id, p.name, p.effect, p.priority, p.created_at AS "createdAt", p.resource, p.actions,
     p.conditions, p.enabled`

const decidingRows = namedQuery<DecidingRow, [TeamId]>(
  'policies.deciding',
  `SELECT ${DECIDING_FIELDS} FROM organizations o LEFT JOIN policies p ON p.organization_id = o.id AND p.type = 'ACCESS' WHERE o.id = $1`,
)

/** Returns the ACCESS policies of a team with their version, from one snapshot. Empty if the team does not exist. */
export const readDecidingRows = (runner: Runner, teamId: TeamId): Promise<DecidingRow[]> =>
  runner.run(decidingRows, [teamId])

/** A policy that applies to sign-ins. */
export interface SignOnRow extends DecidingRow {
  rules: Rule[]
}

interface SignOnState {
  version: number
  hasPolicies: boolean
  /** Stored size, possibly a tenth of the JSON length; 0 if the version is the known one. */
  bytes: number
}

const signOnState = namedQuery<SignOnState, [TeamId, number | null]>(
  'policies.sign_on_state',
  `SELECT o.policy_version AS version, s.bytes IS NOT NULL AS "hasPolicies", coalesce(s.bytes, 0)::float8 AS bytes
   FROM organizations o CROSS JOIN LATERAL (SELECT CASE WHEN o.policy_version = $2 THEN 0 ELSE (
     SELECT sum(pg_column_size(p.rules) + pg_column_size(p.conditions)) FROM policies p
     WHERE p.organization_id = o.id AND p.type IN ('SIGN_ON', 'MFA') AND p.enabled
   ) END AS bytes) s
   WHERE o.id = $1`,
)

/**
 * Returns the version of a team's policies, and whether any applies to sign-ins. Undefined if the team does not exist.
 * @param known a version that is known to have some
 */
export const readSignOnState = async (tx: Transaction, teamId: TeamId, known: number | undefined) =>
  (await tx.run(signOnState, [teamId, known ?? null]))[0]

const signOnRows = namedQuery<SignOnRow, [TeamId]>(
  'policies.sign_on',
  `SELECT ${DECIDING_FIELDS}, p.rules FROM organizations o
   LEFT JOIN policies p ON p.organization_id = o.id AND p.type IN ('SIGN_ON', 'MFA') AND p.enabled WHERE o.id = $1`,
)

/** Returns the enabled SIGN_ON and MFA policies of a team with their version, from one snapshot. Empty if the team does not exist. */
export const readSignOnRows = (runner: Runner, teamId: TeamId): Promise<SignOnRow[]> => runner.run(signOnRows, [teamId])

/**
 * SQL: whether the team has an enabled policy that applies to a sign-in. The pattern of the resource is matched by LIKE, with its special
 * characters escaped.
 * @param team an expression for the team's id
 */
export const hasSignOnRules = (team: string): string => `EXISTS (SELECT FROM policies p
  WHERE p.organization_id = ${team} AND p.type IN ('SIGN_ON', 'MFA') AND p.enabled AND p.actions && ARRAY['login', '*']
    AND 'sign-in' LIKE replace(replace(replace(replace(p.resource, '\\', '\\\\'), '%', '\\%'), '_', '\\_'), '*', '%'))`
