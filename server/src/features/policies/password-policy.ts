import { type Clock, DAY } from '../../platform/clock.js'

/** What a password must be. */
export interface PasswordPolicy {
  /** Code points after NFKC. */
  minLength: number
  requireUppercase: boolean
  requireLowercase: boolean
  requireNumbers: boolean
  requireSymbols: boolean
  /** Days after which it must be replaced; 0 = never. */
  maxAgeDays: number
  /** How many passwords, the current one among them, cannot be chosen again. */
  historyCount: number
}

/** How many failures within `lockoutDuration` minutes close an account for as long; 0 failures = never. */
export interface LockoutNumbers {
  lockoutThreshold: number
  lockoutDuration: number
}

/** What holds where no team has said anything: NIST SP 800-63B wants length, no composition and no ageing. */
export const DEFAULT_PASSWORD_POLICY: PasswordPolicy = {
  minLength: 8,
  requireUppercase: false,
  requireLowercase: false,
  requireNumbers: false,
  requireSymbols: false,
  maxAgeDays: 0,
  historyCount: 0,
}

/** As many earlier passwords as any policy can ask for are kept. */
export const MAX_HISTORY = 24

/** Whether a password set at `setAt` must be replaced; null for an account that has none. */
export function isPasswordAged(
  { maxAgeDays }: Pick<PasswordPolicy, 'maxAgeDays'>,
  setAt: Date | null,
  clock: Clock,
): boolean {
  return setAt !== null && maxAgeDays > 0 && clock.ms() - setAt.getTime() > maxAgeDays * DAY
}
