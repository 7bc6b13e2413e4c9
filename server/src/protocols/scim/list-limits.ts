import type { Attribute } from './schema/attribute.js'
import { invalidRequest } from './scim-error.js'

/** The maximum number of members in one body, and of values of any other attribute. */
export const MAX_MEMBERS = 10_000
const MAX_VALUES = 100

/** @throws {ScimError} `tooMany` */
export function rejectTooMany({ name }: Attribute, count: number): void {
  const most = name === 'members' ? MAX_MEMBERS : MAX_VALUES
  if (count > most) throw invalidRequest('tooMany', `“${name}” must have at most ${most} values.`)
}
