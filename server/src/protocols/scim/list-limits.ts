import type { Attribute } from './attribute.js'
import { fault } from './scim-fault.js'

/** How many members one body names at most, and how many values any other attribute has. */
export const MOST_MEMBERS = 10_000
const MOST_VALUES = 100

/** @throws {ScimFault} `tooMany` */
export function rejectTooMany({ name }: Attribute, count: number): void {
  const most = name === 'members' ? MOST_MEMBERS : MOST_VALUES
  if (count > most) throw fault('tooMany', `“${name}” has at most ${most} values.`)
}
