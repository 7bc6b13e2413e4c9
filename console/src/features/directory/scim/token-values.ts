import type { NewScimToken } from '../../../api/contract'
import type { Errors, Values } from '../../../ui/form/form-fields'
import { scimWords as words } from '../../../words'

type Name = 'name' | 'end' | 'expiresInDays'

/** What the service takes. */
const LONGEST_NAME = 100
const MOST_DAYS = 3650

/** What is wrong with a token that is to be made. */
export function checkToken({ name, end, expiresInDays }: Values<Name>): Errors<Name> {
  const days = Number(expiresInDays)
  const isNumber = /^\s*\d+\s*$/.test(expiresInDays) && days >= 1 && days <= MOST_DAYS
  return {
    ...(!name.trim() && { name: words.nameMissing }),
    ...([...name.trim()].length > LONGEST_NAME && { name: words.nameLong }),
    ...(end === 'other' && !isNumber && { expiresInDays: words.daysWrong }),
  }
}

/** The token that the form means; without days it does not end. */
export function tokenOf({ name, end, expiresInDays }: Values<Name>): NewScimToken {
  const days = end === 'other' ? expiresInDays : end
  return { name: name.trim(), ...(end !== 'never' && { expiresInDays: Number(days) }) }
}
