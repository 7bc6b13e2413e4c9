import type { SignIn } from './sign-in-step.js'

/** What the steps found out, for the audit log: how unusual it looked, which rule decided, whether a factor was asked for and why. */
export function whatWasFound({
  risk,
  country,
  deviceKnown,
  rules,
  factor,
  factorDecision,
}: SignIn): Record<string, unknown> {
  return {
    ...(risk && { reasons: risk.reasons }),
    ...(country && { country }),
    ...(deviceKnown !== undefined && { knownDevice: deviceKnown }),
    ...(rules?.policy && { policy: rules.policy, requirement: rules.requirement }),
    ...(factorDecision && { secondFactor: factorDecision }),
    ...(factor && { factor: { id: factor.id, type: factor.type } }),
  }
}
