import { rejection as platformError } from '../../platform/errors.js'

/** A code as typed by the user: of an authenticator app, or a backup code. */
export interface TypedCode {
  code: string
  isBackupCode?: boolean
}

const stripped = (typed: string): string => typed.normalize('NFKC').replace(/[\s\p{Pd}.]/gu, '')

const SHAPES = {
  totp: { pattern: /^\d{6}$/, message: 'must be six digits' },
  backup: { pattern: /^[0-9A-Z]{6,8}$/, message: 'must be six to eight letters and digits' },
}

/**
 * Returns the normalized code, without spaces and hyphens and with full-width digits converted.
 * @throws invalid_request for a malformed code, which does not count as a failed attempt
 */
export function readCode({ code, isBackupCode = false }: TypedCode): string {
  const normalized = stripped(code).toUpperCase()
  const { pattern, message } = SHAPES[isBackupCode ? 'backup' : 'totp']
  if (pattern.test(normalized)) return normalized
  throw platformError('invalid_request', { detail: `The code ${message}`, errors: [{ path: '/code', message }] })
}
