import { type Attribute, complex, dateTime, reference, text } from './attribute.js'

/** The common attributes of all resources (RFC 7643 section 3.1), which `/Schemas` does not list. */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  reference('schemas', 'The schemas whose attributes the resource has.', {
    multiValued: true,
    mutability: 'readOnly',
    returned: 'always',
    referenceTypes: ['uri'],
  }),
  text('id', 'The ID that this service assigned to the resource.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  text('externalId', 'The ID that the client assigned to the resource.', { caseExact: true }),
  complex(
    'meta',
    'Metadata of the resource.',
    [
      text('resourceType', 'The name of the type of the resource.', { caseExact: true, mutability: 'readOnly' }),
      dateTime('created', 'When the resource was created.', { mutability: 'readOnly' }),
      dateTime('lastModified', 'When the resource was last changed.', { mutability: 'readOnly' }),
      reference('location', 'The URL of the resource.', { mutability: 'readOnly', referenceTypes: ['uri'] }),
      text('version', 'The version of the resource.', { caseExact: true, mutability: 'readOnly' }),
    ],
    { mutability: 'readOnly' },
  ),
]
