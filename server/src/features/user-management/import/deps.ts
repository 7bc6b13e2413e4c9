import type { Actor } from '../../../platform/http/actor.js'

export interface ImportOptions {
  onboardingMethod: 'magic_link' | 'none'
  origin: Actor['origin']
  /** The caller's permissions at the start (an API token may have fewer than its creator): the upper bound for the run. */
  permissions: string[]
}
