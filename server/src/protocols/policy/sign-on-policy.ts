import type { Conditions } from './conditions.js'
import type { Policy } from './policy.js'

/** The requirement of a sign-in besides its first factor. */
export type Requirement = 'MFA_REQUIRED' | 'MFA_OPTIONAL' | 'MFA_NOT_REQUIRED'

/** A rule of a policy of type SIGN_ON or MFA. */
export interface Rule {
  id: string
  name?: string
  conditions: Conditions
  requirement: Requirement | 'DENY'
  /** Higher priorities first, across all policies. */
  priority: number
}

/** A policy for sign-ins: with effect DENY it denies, with effect ALLOW its rules decide the requirement. */
export interface SignOnPolicy extends Policy {
  rules: readonly Rule[]
}
