import { domainToASCII } from 'node:url'

const LABELS = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/
const WRITTEN = /^[\p{L}\p{M}\p{N}.-]+$/u

/** Normalizes an email domain to lower-case ASCII (UTS 46), as in stored email addresses. Returns undefined if it is not a domain. */
export function readDomain(text: string): string | undefined {
  const written = text.trim().normalize('NFC')
  const domain = WRITTEN.test(written) ? domainToASCII(written) : ''
  return LABELS.test(domain) && !/\.\d+$/.test(domain) ? domain : undefined
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)
