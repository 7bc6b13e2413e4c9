import { boolean, object, pipe, rawCheck, string } from 'valibot'
import type { TokenPolicy, TokenPolicyChanges } from '../../../api/contract'
import m from '../../../messages/en/tokens.json'
import { durationText, readDuration } from './duration'

/** In seconds: the limits of the service, and its defaults. */
export const limits = {
  accessTokenLifetime: { from: 60, to: 31_536_000, usual: 3600 },
  idTokenLifetime: { from: 60, to: 31_536_000, usual: 3600 },
  refreshTokenLifetime: { from: 3600, to: 315_360_000, usual: 2_592_000 },
  reuseInterval: { from: 0, to: 3600, usual: 30 },
} as const

export type Lifetime = keyof typeof limits

/** Seconds above which the lifetime of access tokens is long: they stay valid after a sign-out. */
const LONG_ACCESS = 86_400

export function isLongAccess(text: string): boolean {
  return (readDuration(text) ?? 0) > LONG_ACCESS
}

const lifetime = (name: Lifetime) => {
  const { from, to } = limits[name]
  return pipe(
    string(),
    rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const seconds = readDuration(dataset.value)
      if (seconds === null) addIssue({ message: m.durationWrong() })
      else if (seconds < from || seconds > to)
        addIssue({ message: m.durationRange({ from: durationText(from), to: durationText(to) }) })
    }),
  )
}

export const lifetimesSchema = object({
  accessTokenLifetime: lifetime('accessTokenLifetime'),
  idTokenLifetime: lifetime('idTokenLifetime'),
  refreshTokenLifetime: lifetime('refreshTokenLifetime'),
  reuseInterval: lifetime('reuseInterval'),
  rotationEnabled: boolean(),
})

/** The values of the form, with durations such as "15 min". */
export const lifetimesOf = (policy: TokenPolicy) => ({
  accessTokenLifetime: durationText(policy.accessTokenLifetime),
  idTokenLifetime: durationText(policy.idTokenLifetime),
  refreshTokenLifetime: durationText(policy.refreshTokenLifetime),
  reuseInterval: durationText(policy.reuseInterval),
  rotationEnabled: policy.rotationEnabled,
})

export type Lifetimes = ReturnType<typeof lifetimesOf>

/** Returns only changed values. Expects valid ones. */
export function policyChanges(policy: TokenPolicy, values: Lifetimes): TokenPolicyChanges {
  const now: Required<TokenPolicyChanges> = {
    accessTokenLifetime: readDuration(values.accessTokenLifetime) ?? policy.accessTokenLifetime,
    idTokenLifetime: readDuration(values.idTokenLifetime) ?? policy.idTokenLifetime,
    refreshTokenLifetime: readDuration(values.refreshTokenLifetime) ?? policy.refreshTokenLifetime,
    reuseInterval: readDuration(values.reuseInterval) ?? policy.reuseInterval,
    rotationEnabled: values.rotationEnabled,
  }
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => policy[name as keyof Lifetimes] !== value))
}
