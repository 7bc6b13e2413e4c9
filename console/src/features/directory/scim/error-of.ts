import type { ScimRequest } from '../../../api/contract'
import m from '../../../messages/en/scim.json'

/** Returns the cause and the fix of a rejected request, by its `scimType` (RFC 7644 3.12) or status; undefined for a success. */
export function errorOf({ status, scimType }: Pick<ScimRequest, 'status' | 'scimType'>): string | undefined {
  if (status < 400) return undefined
  return (
    m.errorOfType({ type: scimType ?? '' }) ||
    m.errorOfStatus({ status: String(status) }) ||
    (status >= 500 ? m.errorOfService() : m.errorUnknown())
  )
}
