import { rejection as platformError } from '../../platform/errors.js'

/** What somebody typed for a code: an app's, or one of their backup codes. */
export interface TypedCode {
  code: string
  isBackupCode?: boolean
}

const plain = (typed: string): string => typed.normalize('NFKC').replace(/[\s\p{Pd}.]/gu, '')

const SHAPES = {
  totp: { pattern: /^\d{6}$/, message: 'must be six digits' },
  backup: { pattern: /^[0-9A-Z]{6,8}$/, message: 'must be six to eight letters and digits' },
}

/**
 * The code as it is compared: people write spaces and hyphens into it, and some keyboards full-width digits.
 * @throws invalid_request for what is no code at all; it counts as no try
 */
export function readCode({ code, isBackupCode = false }: TypedCode): string {
  const text = plain(code).toUpperCase()
  const { pattern, message } = SHAPES[isBackupCode ? 'backup' : 'totp']
  if (pattern.test(text)) return text
  throw platformError('invalid_request', { detail: `The code ${message}`, errors: [{ path: '/code', message }] })
}
