import type { Conditions } from './conditions.js'

export type Effect = 'ALLOW' | 'DENY'

/** A rule about resources, as it is written. */
export interface Policy {
  id: string
  name: string
  effect: Effect
  /** Higher goes first. */
  priority: number
  /** Milliseconds since the epoch: of equal priorities the older goes first. */
  createdAt: number
  /** A pattern: `*` matches any run of characters. */
  resource: string
  /** Compared as they are; `*` alone stands for every action. */
  actions: readonly string[]
  conditions: Conditions
  enabled: boolean
}

/** The order in which policies are evaluated. */
export const byPrecedence = (a: Policy, b: Policy): number =>
  b.priority - a.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
