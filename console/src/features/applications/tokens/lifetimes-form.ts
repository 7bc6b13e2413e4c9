import type { TokenPolicy, TokenPolicyChanges } from '../../../api/contract'
import type { Errors, Values } from '../../../ui/form/form-fields'
import { tokenWords as words } from '../../../words'
import { durationText, readDuration } from './duration'

/** In seconds: what the service takes, and what holds where nothing was changed. */
export const limits = {
  accessTokenLifetime: { from: 60, to: 31_536_000, usual: 3600 },
  idTokenLifetime: { from: 60, to: 31_536_000, usual: 3600 },
  refreshTokenLifetime: { from: 3600, to: 315_360_000, usual: 2_592_000 },
  reuseInterval: { from: 0, to: 3600, usual: 30 },
} as const

export type Lifetime = keyof typeof limits

export const lifetimeNames = Object.keys(limits) as Lifetime[]
export const policyNames = [...lifetimeNames, 'rotationEnabled'] as const
type Name = (typeof policyNames)[number]

/** Longer than that, an access token outlives what people expect of a sign-out. */
const longAccess = 86_400

export function isLongAccess(text: string): boolean {
  return (readDuration(text) ?? 0) > longAccess
}

export function wrongLifetimes(values: Values<Name>): Errors<Name> {
  const errors: Errors<Name> = {}
  for (const name of lifetimeNames) {
    const seconds = readDuration(values[name])
    const { from, to } = limits[name]
    if (seconds === null) errors[name] = words.durationWrong
    else if (seconds < from || seconds > to) errors[name] = words.durationRange(durationText(from), durationText(to))
  }
  return errors
}

/** Only what was changed. The values have been found right before. */
export function policyChanges(policy: TokenPolicy, values: Values<Name>): TokenPolicyChanges {
  const now: Required<TokenPolicyChanges> = {
    accessTokenLifetime: readDuration(values.accessTokenLifetime) ?? policy.accessTokenLifetime,
    idTokenLifetime: readDuration(values.idTokenLifetime) ?? policy.idTokenLifetime,
    refreshTokenLifetime: readDuration(values.refreshTokenLifetime) ?? policy.refreshTokenLifetime,
    reuseInterval: readDuration(values.reuseInterval) ?? policy.reuseInterval,
    rotationEnabled: values.rotationEnabled === 'on',
  }
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => policy[name as Name] !== value))
}
