import type { Actor } from '../../../platform/http/actor.js'
import type { UserRole } from '../../permissions/index.js'

export interface RunOptions {
  /** Only for an import. */
  onboardingMethod: 'magic_link' | 'none'
  origin: Actor['origin']
  /** The caller's permissions at the start (an API token may have fewer than its creator): the upper bound for the run. */
  permissions: string[]
}

/** A change that a bulk run makes to each of its users. */
export type BulkAction =
  | {
      name: 'suspend' | 'activate' | 'send_password_reset' | 'reset_mfa' | 'resend_invitation' | 'end_sessions'
    }
  | { name: 'add_to_group' | 'remove_from_group'; groupId: string }
  | { name: 'set_role'; role: UserRole }
