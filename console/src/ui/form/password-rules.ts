import type { PasswordPolicy } from '../../api/contract'
import type { FieldProblem } from '../../api/problem'
import m from '../../messages/en/form.json'

export interface PasswordRule {
  words: string
  met: boolean
  /** how much of the rule is met, such as "9 of 12" */
  progress?: string
}

/** Length as the service counts it: code points after NFKC (RFC 8265, NIST SP 800-63B). */
function lengthOf(password: string) {
  return [...password.normalize('NFKC')].length
}

/** Checks `password` against the policy, rule by rule. The service may still reject it as a common one. */
export function checkPassword(password: string, policy: PasswordPolicy): PasswordRule[] {
  const count = policy.minLength
  const length = lengthOf(password)
  const rules: PasswordRule[] = [
    { words: m.ruleLength({ count }), met: length >= count, progress: m.ruleProgress({ length, count }) },
  ]
  if (policy.requireUppercase) rules.push({ words: m.ruleUppercase(), met: /\p{Lu}/u.test(password) })
  if (policy.requireLowercase) rules.push({ words: m.ruleLowercase(), met: /\p{Ll}/u.test(password) })
  if (policy.requireNumbers) rules.push({ words: m.ruleNumber(), met: /\p{Nd}/u.test(password) })
  if (policy.requireSymbols) rules.push({ words: m.ruleSymbol(), met: /[^\p{L}\p{N}\s]/u.test(password) })
  return rules
}

/** The policy as a `passwordrules` attribute, with which password managers generate valid passwords. */
export function managerRules(policy: PasswordPolicy): string {
  const rules = [`minlength: ${policy.minLength}`]
  if (policy.requireUppercase) rules.push('required: upper')
  if (policy.requireLowercase) rules.push('required: lower')
  if (policy.requireNumbers) rules.push('required: digit')
  if (policy.requireSymbols) rules.push('required: special')
  return `${rules.join('; ')};`
}

/** Returns the error of a field as a sentence. Messages of the service about a value are predicates without a subject. */
export function sentenceOf({ rule, message }: FieldProblem): string {
  if (rule) return m.passwordRejected({ failed: message })
  return message.startsWith('must ') ? m.valueRejected({ reason: message }) : message
}
