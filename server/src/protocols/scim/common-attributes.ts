import { type Attribute, complex, instant, reference, text } from './attribute.js'

/** What every resource has beside the attributes of its schemas (RFC 7643, section 3.1). `/Schemas` does not list them. */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  reference('schemas', 'The schemas whose attributes the resource has.', {
    multiValued: true,
    mutability: 'readOnly',
    returned: 'always',
    referenceTypes: ['uri'],
  }),
  text('id', 'The id that this service gave to the resource.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  text('externalId', 'The id that the directory gave to the resource.', { caseExact: true }),
  complex(
    'meta',
    'What the service knows of the resource itself.',
    [
      text('resourceType', 'The name of the type of the resource.', { caseExact: true, mutability: 'readOnly' }),
      instant('created', 'When the resource came into being.', { mutability: 'readOnly' }),
      instant('lastModified', 'When the resource was last changed.', { mutability: 'readOnly' }),
      reference('location', 'The address of the resource.', { mutability: 'readOnly', referenceTypes: ['uri'] }),
      text('version', 'The version of the resource.', { caseExact: true, mutability: 'readOnly' }),
    ],
    { mutability: 'readOnly' },
  ),
]
