import { rejection } from '../../errors.js'

/**
 * Rejects U+0000 and unpaired surrogates in any string or key: no field allows them, and the database or a log could fail on them.
 * Valid values cause no allocations.
 * @param value parsed, and within the depth limit of bodies
 * @param where `body` or `query`: the first part of the path in the error
 * @throws invalid_request
 */
export function rejectUnsafeStrings(value: unknown, where: 'body' | 'query'): void {
  if (isSafe(value)) return
  const path = unsafePath(value, where === 'body' ? '' : where) ?? ''
  throw rejection('invalid_request', {
    detail: 'A string contains characters that are not allowed',
    errors: [{ path: path.isWellFormed() ? path : '', message: 'must not contain U+0000 or half of a surrogate pair' }],
  })
}

const isSafeString = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

function isSafe(value: unknown): boolean {
  if (typeof value === 'string') return isSafeString(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isSafe(value[index])) return false
    return true
  }
  for (const key in value) if (!isSafeString(key) || !isSafe((value as Record<string, unknown>)[key])) return false
  return true
}

/** Returns the path of the first unsafe string, or of the object that has an unsafe key. */
function unsafePath(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return isSafeString(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, child] of Object.entries(value)) {
    const found = isSafeString(key) ? unsafePath(child, `${path}/${key}`) : path
    if (found !== undefined) return found
  }
  return undefined
}
