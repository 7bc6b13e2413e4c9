import { refusal } from '../../platform/errors.js'

const ADDRESS = /^[^\s@"(),:;<>[\]\\\p{C}]{1,64}@[^\s@"(),:;<>[\]\\\p{C}]{1,255}$/u

/**
 * The address as accounts are found by it: without white space around, NFC, lower case. What comes after the @ must look like
 * a domain; quoted local parts are refused.
 * @throws invalid_request
 */
export function normalizeEmail(text: string, path = '/email'): string {
  const email = text.trim().normalize('NFC').toLowerCase()
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const fine =
    email.length <= 254 &&
    ADDRESS.test(email) &&
    !email.includes('..') &&
    !/^[.-]|[.-]$|\.@/.test(domain) &&
    !/^\.|\.@/.test(email)
  if (fine) return email
  throw refusal('invalid_request', {
    detail: 'That is not an e-mail address',
    errors: [{ path, message: 'must be an e-mail address' }],
  })
}
