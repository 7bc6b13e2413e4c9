import type { ResponseAttribute } from '../../../protocols/saml/index.js'
import type { ApplicationSession } from '../../oidc-provider/index.js'
import type { ServiceProvider } from '../model/service-provider.js'

type UserAttributes = ApplicationSession['userAttributes']

const one = (value: string | null): string[] => (value === null || value === '' ? [] : [value])

/** The profile fields that an assertion can contain. */
const FIELDS: Record<string, (userAttributes: UserAttributes, groups: string[]) => string[]> = {
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

/** The default mapping: the identity of the user, and nothing about the team. */
const DEFAULT_MAPPING = { email: 'email', firstName: 'firstName', lastName: 'lastName', displayName: 'displayName' }

const mappingOf = ({ attributeMapping }: Pick<ServiceProvider, 'attributeMapping'>): [string, string][] =>
  Object.entries(attributeMapping && Object.keys(attributeMapping).length > 0 ? attributeMapping : DEFAULT_MAPPING)

/** Whether the mapping includes group names, which then must be read. */
export const includesGroups = (sp: Pick<ServiceProvider, 'attributeMapping'>): boolean =>
  mappingOf(sp).some(([, field]) => field === 'groups')

/** Returns the mapped attributes. A mapping to an unknown field is skipped. */
export const assertionAttributes = (
  sp: Pick<ServiceProvider, 'attributeMapping'>,
  userAttributes: UserAttributes,
  groups: string[],
): ResponseAttribute[] =>
  mappingOf(sp)
    .filter(([, field]) => Object.hasOwn(FIELDS, field))
    .map(([name, field]) => ({
      name,
      ...(name !== field && { friendlyName: field }),
      values: FIELDS[field]?.(userAttributes, groups) ?? [],
    }))
