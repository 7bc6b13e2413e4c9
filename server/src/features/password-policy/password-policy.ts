import { type Clock, DAY } from '../../platform/clock.js'

/** Requirements for passwords. */
export interface PasswordPolicy {
  /** Code points after NFKC. */
  minLength: number
  requireUppercase: boolean
  requireLowercase: boolean
  requireNumbers: boolean
  requireSymbols: boolean
  /** Days after which it must be changed; 0 = never. */
  maxAgeDays: number
  /** Number of passwords, including the current one, that cannot be reused. */
  historyCount: number
}

/** The policy of teams without their own: NIST SP 800-63B recommends length, no composition rules and no expiry. */
export const DEFAULT_PASSWORD_POLICY: PasswordPolicy = {
  minLength: 8,
  requireUppercase: false,
  requireLowercase: false,
  requireNumbers: false,
  requireSymbols: false,
  maxAgeDays: 0,
  historyCount: 0,
}

/** Number of stored earlier passwords: the maximum of any policy. */
export const MAX_HISTORY = 24

/** Returns whether a password set at `setAt` must be changed. `setAt` is null for an account without a password. */
export const isPasswordExpired = ({ maxAgeDays }: PasswordPolicy, setAt: Date | null, clock: Clock): boolean =>
  setAt !== null && maxAgeDays > 0 && clock.ms() - setAt.getTime() > maxAgeDays * DAY
