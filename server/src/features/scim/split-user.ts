import { ENTERPRISE_USER, fault, flagAt, type ScimObject, type ScimValue } from '../../protocols/scim/index.js'
import { type DirectoryProfile, profileFault } from '../members/index.js'
import { addressOf } from './address-of.js'

/** A User of SCIM, by where its parts are kept. What it does not say is undefined. */
export interface SplitUser {
  profile: DirectoryProfile
  active: boolean | undefined
  /** What the membership has no column for. */
  data: ScimObject
}

/** Where the columns of a membership stand in a User. */
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

const textOf = (value: ScimValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

export const valuesOf = (value: ScimValue | undefined): ScimObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** @throws {ScimFault} invalidValue for a text that the column of a membership does not take */
export function requireProfile(profile: DirectoryProfile): DirectoryProfile {
  for (const [field, place] of Object.entries(PLACES) as [keyof typeof PLACES, string][]) {
    const value = profile[field]
    const wrong = typeof value === 'string' ? profileFault(field, value) : undefined
    if (wrong) throw fault('invalidValue', `“${place}” ${wrong}.`)
  }
  return profile
}

export function splitUser(resource: ScimObject): SplitUser {
  const { schemas, id, meta, groups, userName, externalId, active, title, locale, name, ...rest } = resource
  const { [ENTERPRISE_USER]: extension, ...others } = rest
  const { givenName, familyName, ...moreNames } = isObject(name) ? name : {}
  const { department, ...enterprise } = isObject(extension) ? extension : {}
  const said: DirectoryProfile = {}
  const say = (field: keyof typeof PLACES, value: string | undefined) => {
    if (value !== undefined) said[field] = value
  }
  say('firstName', textOf(givenName))
  say('lastName', textOf(familyName))
  say('title', textOf(title))
  say('department', textOf(department))
  say('phone', mainPhone(others.phoneNumbers))
  // Directories write both en-US and en_US.
  say('locale', textOf(locale)?.replaceAll('_', '-'))
  say('externalId', textOf(externalId))
  return {
    profile: said,
    active: flagAt('User', resource, 'active'),
    data: {
      ...others,
      ...(Object.keys(moreNames).length > 0 && { name: moreNames }),
      ...(Object.keys(enterprise).length > 0 && { [ENTERPRISE_USER]: enterprise }),
    },
  }
}

/** The number by which the team shows the user: the primary one, else the first for work, else the first. */
export function mainPhone(numbers: ScimValue | undefined): string | undefined {
  const list = valuesOf(numbers)
  const isWork = ({ type }: ScimObject) => textOf(type)?.toLowerCase() === 'work'
  const main = list.find(({ primary }) => primary === true) ?? list.find(isWork) ?? list[0]
  return textOf(main?.value)
}

/** The account that a User is: by its `userName`, or by the first of its e-mail addresses where that is none. */
export interface NamedAccount {
  email: string
  /** The `userName` that is no address; null: it is the address. */
  userName: string | null
}

/** The longest name that a directory gives to a user: as long as an address may be. */
const LONGEST_NAME = 254

/** @throws {ScimFault} invalidValue when neither is an address */
export function accountOf({ userName, emails }: ScimObject): NamedAccount {
  const name = textOf(userName) ?? ''
  const email = addressOf(name)
  if (email) return { email, userName: null }
  const first = addressOf(textOf(valuesOf(emails)[0]?.value) ?? '')
  if (!first)
    throw fault('invalidValue', '“userName”, or the value of the first of the “emails”, is an e-mail address.')
  if ([...name].length > LONGEST_NAME) throw fault('invalidValue', `“userName” has at most ${LONGEST_NAME} characters.`)
  return { email: first, userName: name.trim() || null }
}
