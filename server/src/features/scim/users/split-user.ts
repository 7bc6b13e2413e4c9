import { AppError } from '../../../platform/app-error.js'
import {
  booleanAt,
  ENTERPRISE_USER,
  invalidRequest,
  type ScimObject,
  type ScimValue,
} from '../../../protocols/scim/index.js'
import { type DirectoryProfile, profileViolation } from '../../members/index.js'
import { normalizeEmail } from '../../users/index.js'

/** A SCIM User, divided by where its attributes are stored. Missing attributes are undefined. */
export interface SplitUser {
  profile: DirectoryProfile
  active: boolean | undefined
  /** The attributes that the membership has no column for. */
  data: ScimObject
}

/** The SCIM paths of the columns of a membership. */
const PLACES = {
  firstName: 'name.givenName',
  lastName: 'name.familyName',
  title: 'title',
  department: 'department',
  phone: 'phoneNumbers',
  locale: 'locale',
  externalId: 'externalId',
} as const

const isObject = (value: ScimValue | undefined): value is ScimObject =>
  typeof value === 'object' && !Array.isArray(value)

export const objectOf = (value: ScimValue | undefined): ScimObject => (isObject(value) ? value : {})

const textOf = (value: ScimValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

export const valuesOf = (value: ScimValue | undefined): ScimObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** @throws {ScimError} invalidValue for a string that is not valid for the column */
export function requireProfile(profile: DirectoryProfile): DirectoryProfile {
  for (const [field, place] of Object.entries(PLACES) as [keyof typeof PLACES, string][]) {
    const value = profile[field]
    const wrong = typeof value === 'string' ? profileViolation(field, value) : undefined
    if (wrong) throw invalidRequest('invalidValue', `“${place}” ${wrong}.`)
  }
  return profile
}

export function splitUser(resource: ScimObject): SplitUser {
  const { schemas, id, meta, groups, userName, externalId, active, title, locale, name, ...rest } = resource
  const { [ENTERPRISE_USER]: extension, ...others } = rest
  const { givenName, familyName, ...moreNames } = objectOf(name)
  const { department, ...enterprise } = objectOf(extension)
  const profile: DirectoryProfile = {}
  const set = (field: keyof typeof PLACES, value: string | undefined) => {
    if (value !== undefined) profile[field] = value
  }
  set('firstName', textOf(givenName))
  set('lastName', textOf(familyName))
  set('title', textOf(title))
  set('department', textOf(department))
  set('phone', mainPhone(others.phoneNumbers))
  // Clients send both en-US and en_US.
  set('locale', textOf(locale)?.replaceAll('_', '-'))
  set('externalId', textOf(externalId))
  return {
    profile,
    active: booleanAt('User', resource, 'active'),
    data: {
      ...others,
      ...(Object.keys(moreNames).length > 0 && { name: moreNames }),
      ...(Object.keys(enterprise).length > 0 && { [ENTERPRISE_USER]: enterprise }),
    },
  }
}

/** Returns the phone number of the membership: the primary one, else the first for work, else the first. */
export function mainPhone(numbers: ScimValue | undefined): string | undefined {
  const list = valuesOf(numbers)
  const isWork = ({ type }: ScimObject) => textOf(type)?.toLowerCase() === 'work'
  const main = list.find(({ primary }) => primary === true) ?? list.find(isWork) ?? list[0]
  return textOf(main?.value)
}

/** The account of a User: identified by `userName`, or by the first email address if `userName` is not one. */
export interface NamedAccount {
  email: string
  /** The `userName` if it is not an email address; otherwise null. */
  userName: string | null
}

/** The maximum length of a `userName`, the same as that of an email address. */
const MAX_NAME_LENGTH = 254

/** @throws {ScimError} invalidValue if neither is an email address */
export function accountOf({ userName, emails }: ScimObject): NamedAccount {
  const name = textOf(userName) ?? ''
  const email = addressOf(name)
  if (email) return { email, userName: null }
  const first = addressOf(textOf(valuesOf(emails)[0]?.value) ?? '')
  if (!first)
    throw invalidRequest('invalidValue', '“userName” or the first value of “emails” must be an email address.')
  if ([...name].length > MAX_NAME_LENGTH)
    throw invalidRequest('invalidValue', `“userName” must have at most ${MAX_NAME_LENGTH} characters.`)
  return { email: first, userName: name.trim() || null }
}

/** Returns the normalized email address; undefined if the string is not one. */
export function addressOf(text: string): string | undefined {
  try {
    return normalizeEmail(text)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
