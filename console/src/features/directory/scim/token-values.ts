import { object, pipe, string } from 'valibot'
import type { NewScimToken } from '../../../api/contract'
import m from '../../../messages/en/scim.json'
import { type FieldErrors, fieldRules } from '../../../ui/form/field-rules'

export interface TokenValues extends Record<string, unknown> {
  name: string
  expiry: string
  expiresInDays: string
}

/** Choices of the expiry, in days. */
export const EXPIRIES = ['never', '90', '180', '365', 'other']

/** Limits of the service. */
const MAX_NAME = 100
const MAX_DAYS = 3650

export function tokenErrors({ name, expiry, expiresInDays }: TokenValues): FieldErrors<TokenValues> {
  const days = Number(expiresInDays)
  const isNumber = /^\s*\d+\s*$/.test(expiresInDays) && days >= 1 && days <= MAX_DAYS
  return {
    ...(!name.trim() && { name: m.nameMissing() }),
    ...([...name.trim()].length > MAX_NAME && { name: m.nameLong() }),
    ...(expiry === 'other' && !isNumber && { expiresInDays: m.daysWrong() }),
  }
}

export const tokenSchema = pipe(
  object({ name: string(), expiry: string(), expiresInDays: string() }),
  fieldRules<TokenValues>(tokenErrors),
)

/** Returns the request body; a token without `expiresInDays` does not expire. */
export function tokenBody({ name, expiry, expiresInDays }: TokenValues): NewScimToken {
  const days = expiry === 'other' ? expiresInDays : expiry
  return { name: name.trim(), ...(expiry !== 'never' && { expiresInDays: Number(days) }) }
}
