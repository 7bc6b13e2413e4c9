import type { AssertionRules } from './find-assertion.js'

/** Checks of a response, in the order of the report. */
export const RESPONSE_CHECKS = [
  'readable',
  'well_formed',
  'message',
  'status',
  'assertion',
  'encryption',
  'signature',
  'issuer',
  'destination',
  'in_response_to',
  'subject_confirmation',
  'recipient',
  'audience',
  'conditions',
  'issue_instant',
  'not_before',
  'not_on_or_after',
  'authn_instant',
  'session_not_on_or_after',
  'name_id',
  'attributes',
] as const

export type ResponseCheckId = (typeof RESPONSE_CHECKS)[number]

export interface ResponseExpectations extends AssertionRules {
  /** Milliseconds. */
  now: number
  /** Default 120. */
  toleranceSeconds?: number
  idpEntityId: string
  /** Keyward's entity ID, which the audience must be. */
  spEntityId: string
  /** Keyward's URL, which the destination and the recipient must be. */
  acsUrl: string
  /** IDs of the pending requests; null for an IdP-initiated sign-in. */
  inResponseTo: readonly string[] | null
}
