import type { FieldError } from '../../platform/app-error.js'
import { normalizePassword } from '../../platform/crypto/password-hash.js'
import type { PasswordPolicy } from '../password-policy/index.js'
import { comparable } from './common-passwords.js'
import { rejection } from './errors.js'

const MAX_LENGTH = 256

/** Returns the violated rules, each with its name and a message. Lengths are code points after NFKC. */
export function failedRules(
  password: string,
  policy: PasswordPolicy,
  common: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const normal = normalizePassword(password)
  const length = [...normal].length
  const rules: [rule: string, holds: boolean, message: string][] = [
    ['min_length', length >= policy.minLength, `must have at least ${policy.minLength} characters`],
    ['max_length', length <= MAX_LENGTH, `must have at most ${MAX_LENGTH} characters`],
    ['uppercase', !policy.requireUppercase || /\p{Lu}/u.test(normal), 'must have an upper-case letter'],
    ['lowercase', !policy.requireLowercase || /\p{Ll}/u.test(normal), 'must have a lower-case letter'],
    ['number', !policy.requireNumbers || /\p{Nd}/u.test(normal), 'must have a digit'],
    ['symbol', !policy.requireSymbols || /[^\p{L}\p{N}\s]/u.test(normal), 'must have a symbol'],
    ['common', !common.has(comparable(password)), 'is one of the most common passwords'],
  ]
  return rules.filter(([, holds]) => !holds).map(([rule, , message]) => ({ path, rule, message }))
}

/** Validates the rules that need only the password. @throws password_policy with each violated rule */
export function requireCompliantPassword(
  password: string,
  policy: PasswordPolicy,
  common: ReadonlySet<string>,
  path: string,
): void {
  rejectFailed(failedRules(password, policy, common, path))
}

/** @throws password_policy if there are violations */
export function rejectFailed(errors: FieldError[]): void {
  if (errors.length === 0) return
  throw rejection('password_policy', {
    detail: `The password ${errors.map(({ message }) => message).join(', ')}`,
    errors,
  })
}
