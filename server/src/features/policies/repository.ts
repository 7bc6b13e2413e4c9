import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Runner, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { type PolicyId, parseId, type TeamId } from '../../platform/ids.js'
import type { Effect, Rule } from '../../protocols/policy/index.js'
import { organizationRefusal } from '../organizations/index.js'
import type { Definition, Policy, PolicyType } from './policy-definition.js'
import { policies } from './tables.js'

const MAX_POLICIES = 10_000
/** Bytes of actions, conditions and rules of a team: what a node may have to read and keep. */
const MAX_BYTES = 16 * 1_048_576

/** The policies of a team. Who writes locks the team first, by `bumpPolicyVersion` at the latest, and so takes turns with others who write. */
export const policyRepository = (tx: Transaction, teamId: TeamId) => {
  const one = (id: PolicyId) => and(eq(policies.id, id), eq(policies.organizationId, teamId))

  return {
    /** Undefined for an unknown id, for one of another team, and for a text that is none alike. */
    async find(id: string): Promise<Policy | undefined> {
      const known = parseId<PolicyId>(id)
      return known && (await tx.select().from(policies).where(one(known)))[0]
    },

    /** In the order of evaluation. */
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

    async delete(id: string): Promise<Policy | undefined> {
      const known = parseId<PolicyId>(id)
      return known && (await tx.delete(policies).where(one(known)).returning())[0]
    },

    /** After a write that may have made them more. @throws limit_reached with what there would be and the limit */
    async refuseBeyondLimits(): Promise<void> {
      const [total] = await tx
        .select({
          count: sql<number>`count(*)::int`,
          bytes: sql<number>`coalesce(sum(octet_length(${policies.conditions}::text) + octet_length(${policies.rules}::text) + octet_length(${policies.actions}::text)), 0)::float8`,
        })
        .from(policies)
        .where(eq(policies.organizationId, teamId))
      const { count, bytes } = total ?? { count: 0, bytes: 0 }
      if (count > MAX_POLICIES)
        throw organizationRefusal('limit_reached', {
          detail: `The team has ${count - 1} policies; its limit is ${MAX_POLICIES}`,
        })
      if (bytes > MAX_BYTES)
        throw organizationRefusal('limit_reached', {
          detail: `The policies of the team would take ${bytes} bytes; the limit is ${MAX_BYTES}`,
        })
    },
  }
}

/** What decides of a policy; all of it null where the team has none. */
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

const decidingRows = namedQuery<DecidingRow, [TeamId]>(
  'policies.deciding',
  `SELECT o.policy_version AS version, p.id, p.name, p.effect, p.priority, p.created_at AS "createdAt", p.resource, p.actions,
     p.conditions, p.enabled
   FROM organizations o LEFT JOIN policies p ON p.organization_id = o.id AND p.type = 'ACCESS' WHERE o.id = $1`,
)

/** The ACCESS policies of a team and the version that they are, of one moment: one statement reads one snapshot. Empty: no such team. */
export const readDecidingRows = (runner: Runner, teamId: TeamId): Promise<DecidingRow[]> =>
  runner.run(decidingRows, [teamId])

/** A row of a policy that decides at sign-in. */
export interface SignOnRow extends DecidingRow {
  rules: Rule[]
}

const signOnState = namedQuery<{ version: number; hasPolicies: boolean }, [TeamId, number | null]>(
  'policies.sign_on_state',
  `SELECT o.policy_version AS version, CASE WHEN o.policy_version = $2 THEN true ELSE EXISTS (
     SELECT FROM policies p WHERE p.organization_id = o.id AND p.type IN ('SIGN_ON', 'MFA') AND p.enabled
   ) END AS "hasPolicies"
   FROM organizations o WHERE o.id = $1`,
)

/**
 * The version of a team's policies, and whether any of them decides at sign-in. Undefined: no such team.
 * @param known a version of which it is known that some do, and need not be looked up
 */
export const readSignOnState = async (tx: Transaction, teamId: TeamId, known: number | undefined) =>
  (await tx.run(signOnState, [teamId, known ?? null]))[0]

const signOnRows = namedQuery<SignOnRow, [TeamId]>(
  'policies.sign_on',
  `SELECT o.policy_version AS version, p.id, p.name, p.effect, p.priority, p.created_at AS "createdAt", p.resource, p.actions,
     p.conditions, p.enabled, p.rules
   FROM organizations o
   LEFT JOIN policies p ON p.organization_id = o.id AND p.type IN ('SIGN_ON', 'MFA') AND p.enabled WHERE o.id = $1`,
)

/** The SIGN_ON and MFA policies of a team that are enabled, and the version that they are, of one moment. Empty: no such team. */
export const readSignOnRows = (tx: Transaction, teamId: TeamId): Promise<SignOnRow[]> => tx.run(signOnRows, [teamId])
