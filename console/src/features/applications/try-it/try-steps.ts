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
  /** null where there was nothing to check */
  passed: boolean | null
}

export interface Step {
  name: StepName
  state: 'running' | 'done' | 'failed' | 'skipped'
  exchanges: Exchange[]
  checks: Check[]
  /** a token that was read, and as it came */
  token?: { raw: string; jwt: Jwt | null }
  /** claims to be explained */
  claims?: Record<string, unknown>
  /** why it failed: a code of the protocol or of ours, and what the service said to it */
  fault?: { code: string; description?: string | undefined }
  skipped?: 'noOpenid' | 'noRefresh' | 'closed'
}

/** Ends a step, and the run with it. */
export class Fault extends Error {
  readonly code: string
  readonly description: string | undefined

  constructor(code: string, description?: unknown) {
    super(code)
    this.code = code
    this.description = typeof description === 'string' ? description : undefined
  }
}

/** Raised by a step that does not apply; the run goes on. */
export class Skipped extends Error {
  readonly reason: NonNullable<Step['skipped']>

  constructor(reason: NonNullable<Step['skipped']>) {
    super(reason)
    this.reason = reason
  }
}
