import type { ResponseAttribute } from '../../protocols/saml/index.js'
import type { ApplicationSession } from '../oidc-provider/index.js'
import type { ServiceProvider } from './service-provider.js'

type Person = ApplicationSession['person']

const one = (value: string | null): string[] => (value === null || value === '' ? [] : [value])

/** What of a profile an application can be told, and how. */
const FIELDS: Record<string, (person: Person, groups: string[]) => string[]> = {
  id: ({ id }) => [id],
  email: ({ email }) => [email],
  firstName: ({ firstName }) => one(firstName),
  lastName: ({ lastName }) => one(lastName),
  displayName: ({ displayName }) => one(displayName),
  department: ({ department }) => one(department),
  title: ({ title }) => one(title),
  phone: ({ phone }) => one(phone),
  locale: ({ locale }) => one(locale),
  externalId: ({ externalId }) => one(externalId),
  role: ({ role }) => one(role),
  groups: (_person, groups) => groups,
}

/** Told where nothing is mapped: who somebody is, and nothing about the team. */
const USUAL = { email: 'email', firstName: 'firstName', lastName: 'lastName', displayName: 'displayName' }

const mappingOf = ({ attributeMapping }: Pick<ServiceProvider, 'attributeMapping'>): [string, string][] =>
  Object.entries(attributeMapping && Object.keys(attributeMapping).length > 0 ? attributeMapping : USUAL)

/** Whether the names of groups must be read. */
export const tellsGroups = (sp: Pick<ServiceProvider, 'attributeMapping'>): boolean =>
  mappingOf(sp).some(([, field]) => field === 'groups')

/** The attributes by their mapping. One to a field that we do not have is passed over. */
export const notifiedAttributes = (
  sp: Pick<ServiceProvider, 'attributeMapping'>,
  person: Person,
  groups: string[],
): ResponseAttribute[] =>
  mappingOf(sp)
    .filter(([, field]) => Object.hasOwn(FIELDS, field))
    .map(([name, field]) => ({
      name,
      ...(name !== field && { friendlyName: field }),
      values: FIELDS[field]?.(person, groups) ?? [],
    }))
