import { eq } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { PolicyId, TeamId } from '../../../platform/ids.js'
import { organizations } from '../../teams/index.js'
import { passwordPolicies } from '../tables.js'
import { DEFAULT_PASSWORD_POLICY, type LockoutNumbers, type PasswordPolicy } from './password-policy.js'

/** The stored policy of a team. */
export interface TeamPasswordPolicy extends PasswordPolicy, LockoutNumbers {
  id: PolicyId
  teamId: TeamId
  createdAt: Date
  updatedAt: Date
}

export type PasswordPolicyChange = Partial<PasswordPolicy & LockoutNumbers>

const columns = {
  id: passwordPolicies.id,
  teamId: passwordPolicies.organizationId,
  minLength: passwordPolicies.minLength,
  requireUppercase: passwordPolicies.requireUppercase,
  requireLowercase: passwordPolicies.requireLowercase,
  requireNumbers: passwordPolicies.requireNumbers,
  requireSymbols: passwordPolicies.requireSymbols,
  maxAgeDays: passwordPolicies.maxAgeDays,
  historyCount: passwordPolicies.historyCount,
  lockoutThreshold: passwordPolicies.lockoutThreshold,
  lockoutDuration: passwordPolicies.lockoutMinutes,
  createdAt: passwordPolicies.createdAt,
  updatedAt: passwordPolicies.updatedAt,
}

export const passwordPolicyRepository = (tx: Transaction, teamId: TeamId) => ({
  /** Returns the policy; locked until the transaction ends if `lock` is set. */
  async find({ lock = false } = {}): Promise<TeamPasswordPolicy | undefined> {
    const query = tx.select(columns).from(passwordPolicies).where(eq(passwordPolicies.organizationId, teamId))
    return (await (lock ? query.for('update') : query))[0]
  },

  /** Stores the defaults. Returns undefined if the team already has a policy or was deleted; exactly one of concurrent calls stores it. */
  async create(clock: Clock, lockout: LockoutNumbers): Promise<TeamPasswordPolicy | undefined> {
    const [team] = await tx
      .select({ id: organizations.id })
      .from(organizations)
      .where(eq(organizations.id, teamId))
      .for('key share')
    if (!team) return undefined
    const now = clock.now()
    const [created] = await tx
      .insert(passwordPolicies)
      .values({
        organizationId: teamId,
        id: uuidv7<PolicyId>(clock),
        ...DEFAULT_PASSWORD_POLICY,
        lockoutThreshold: lockout.lockoutThreshold,
        lockoutMinutes: lockout.lockoutDuration,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing({ target: passwordPolicies.organizationId })
      .returning(columns)
    return created
  },

  async update(clock: Clock, change: PasswordPolicyChange): Promise<TeamPasswordPolicy | undefined> {
    const { lockoutDuration, ...rest } = change
    const [updated] = await tx
      .update(passwordPolicies)
      .set({
        ...rest,
        ...(lockoutDuration !== undefined && { lockoutMinutes: lockoutDuration }),
        updatedAt: clock.now(),
      })
      .where(eq(passwordPolicies.organizationId, teamId))
      .returning(columns)
    return updated
  },
})
