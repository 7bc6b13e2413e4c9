import type { Conditions } from './conditions.js'
import type { Policy } from './policy.js'

/** What a sign-in must bring beside its first factor; null where no rule says anything. */
export type Requirement = 'MFA_REQUIRED' | 'MFA_OPTIONAL' | 'MFA_NOT_REQUIRED'

/** What decides at sign-in, within a policy of the types SIGN_ON and MFA. */
export interface Rule {
  id: string
  name?: string
  conditions: Conditions
  requirement: Requirement | 'DENY'
  /** Higher goes first, across all policies. */
  priority: number
}

/** A policy about signing in: of effect DENY it refuses, of effect ALLOW its rules say what is asked for. */
export interface SignOnPolicy extends Policy {
  rules: readonly Rule[]
}
