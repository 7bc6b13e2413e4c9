import type { SignInResult } from '../../platform/metrics/metrics.js'
import type { AuditAction } from './actions.js'

/** The sign-in methods in the metrics; any other one is `other`, so that the label is bounded. */
const METHODS = new Set([
  'password',
  'directory',
  'magic_link',
  'one_time_token',
  'passkey',
  'sso',
  'registration',
  'invitation',
])

/**
 * Returns the method and outcome of a sign-in for the metrics; undefined for any other entry. Every sign-in has an entry, so none is missed:
 * also one that fails before the pipeline.
 */
export function signInOf(
  action: AuditAction,
  { result = 'SUCCESS', metadata = {} }: { result?: string; metadata?: Record<string, unknown> } = {},
): { method: string; outcome: SignInResult } | undefined {
  const outcome = outcomeOf(action, result)
  if (!outcome) return undefined
  const { method } = metadata
  return { method: typeof method === 'string' && METHODS.has(method) ? method : 'other', outcome }
}

function outcomeOf(action: AuditAction, result: string): SignInResult | undefined {
  if (action === 'user.login') return result === 'SUCCESS' ? 'succeeded' : 'rejected'
  if (action === 'user.challenged') return 'factor_required'
  return action === 'user.challenge_failed' ? 'factor_rejected' : undefined
}
