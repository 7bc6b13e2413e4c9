import type { Exchange } from './exchange'
import type { Jwt } from './jwt'

export const stepNames = [
  'authorize',
  'callback',
  'token',
  'idToken',
  'signature',
  'accessToken',
  'userinfo',
  'refresh',
  'revoke',
  'introspect',
] as const

export type StepName = (typeof stepNames)[number]

export type CheckName =
  | 'state'
  | 'issuerAnswer'
  | 'code'
  | 'iss'
  | 'aud'
  | 'nonce'
  | 'exp'
  | 'key'
  | 'signature'
  | 'sub'
  | 'rotated'
  | 'sameSub'
  | 'revoked'
  | 'inactive'

export interface Check {
  name: CheckName
  /** null if there was nothing to check */
  passed: boolean | null
}

export interface Step {
  name: StepName
  state: 'running' | 'done' | 'failed' | 'skipped'
  exchanges: Exchange[]
  checks: Check[]
  /** the decoded and the encoded token */
  token?: { raw: string; jwt: Jwt | null }
  /** claims with a meaning to show */
  claims?: Record<string, unknown>
  /** why it failed: an error code of the protocol or of this page, and the description of the service */
  fault?: { code: string; description?: string | undefined }
  skipped?: 'noOpenid' | 'noRefresh' | 'closed'
}

/** Ends a step, and with it the run. */
export class Fault extends Error {
  readonly code: string
  readonly description: string | undefined

  constructor(code: string, description?: unknown) {
    super(code)
    this.code = code
    this.description = typeof description === 'string' ? description : undefined
  }
}

/** Thrown by a step that does not apply. The run continues. */
export class Skipped extends Error {
  readonly reason: NonNullable<Step['skipped']>

  constructor(reason: NonNullable<Step['skipped']>) {
    super(reason)
    this.reason = reason
  }
}
