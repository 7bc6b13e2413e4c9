import { eq } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import type { PolicyId, TeamId } from '../../platform/ids.js'
import { keepOrganization } from '../teams/index.js'
import { DEFAULT_PASSWORD_POLICY } from './password-policy.js'
import { passwordPolicies } from './tables.js'

/** The stored policy of a team. */
export type TeamPasswordPolicy = typeof passwordPolicies.$inferSelect

/** The number of failures that lock an account, and the minutes in which they are counted and for which it is locked. */
export type LockoutLimit = Pick<TeamPasswordPolicy, 'lockoutThreshold' | 'lockoutDuration'>

export type PasswordPolicyChange = Partial<Omit<TeamPasswordPolicy, 'id' | 'teamId' | 'createdAt' | 'updatedAt'>>

export const passwordPolicyRepository = (tx: Transaction, teamId: TeamId) => ({
  /** Returns the policy; locked until the transaction ends if `lock` is set. */
  async find({ lock = false } = {}): Promise<TeamPasswordPolicy | undefined> {
    const query = tx.select().from(passwordPolicies).where(eq(passwordPolicies.teamId, teamId))
    return (await (lock ? query.for('update') : query))[0]
  },

  /** Stores the defaults. Returns undefined if the team already has a policy or was deleted; exactly one of concurrent calls stores it. */
  async create(clock: Clock, lockout: LockoutLimit): Promise<TeamPasswordPolicy | undefined> {
    if (!(await keepOrganization(tx, teamId))) return undefined
    const id = uuidv7<PolicyId>(clock)
    const now = clock.now()
    const [created] = await tx
      .insert(passwordPolicies)
      .values({ teamId, id, ...DEFAULT_PASSWORD_POLICY, ...lockout, createdAt: now, updatedAt: now })
      .onConflictDoNothing({ target: passwordPolicies.teamId })
      .returning()
    return created
  },

  async update(clock: Clock, change: PasswordPolicyChange): Promise<TeamPasswordPolicy | undefined> {
    const [updated] = await tx
      .update(passwordPolicies)
      .set({ ...change, updatedAt: clock.now() })
      .where(eq(passwordPolicies.teamId, teamId))
      .returning()
    return updated
  },
})
