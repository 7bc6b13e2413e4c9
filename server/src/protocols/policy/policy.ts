import type { Conditions } from './conditions.js'

export type Effect = 'ALLOW' | 'DENY'

/** A policy for resources. */
export interface Policy {
  id: string
  name: string
  effect: Effect
  /** Higher priorities first. */
  priority: number
  /** Milliseconds since the epoch: among equal priorities the older policy is first. */
  createdAt: number
  /** A pattern: `*` matches any sequence of characters. */
  resource: string
  /** Case-sensitive; `*` alone means every action. */
  actions: readonly string[]
  conditions: Conditions
  enabled: boolean
}

/** Compares by the order of evaluation. */
export const byPrecedence = (a: Policy, b: Policy): number =>
  b.priority - a.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

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
