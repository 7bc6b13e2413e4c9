/** What decides at sign-in, within a policy of the types SIGN_ON and MFA. */
export interface Rule {
  id: string
  name?: string
  conditions: Record<string, unknown>
  requirement: 'MFA_REQUIRED' | 'MFA_OPTIONAL' | 'MFA_NOT_REQUIRED' | 'DENY'
  priority: number
}
