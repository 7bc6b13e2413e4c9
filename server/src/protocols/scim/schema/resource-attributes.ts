import { type Attribute, binary, boolean, complex, dateTime, listOf, reference, text } from './attribute.js'

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

/**
 * The attributes of a core User (RFC 7643 section 4.1) that are stored. `password` is not one of them: it is ignored like any unknown
 * attribute and never stored.
 */
export const USER_ATTRIBUTES: readonly Attribute[] = [
  text('userName', 'The email address with which the user signs in.', { required: true, uniqueness: 'server' }),
  complex('name', "The components of the user's name.", [
    text('formatted', 'The full name for display.'),
    text('familyName', 'The family name.'),
    text('givenName', 'The given name.'),
    text('middleName', 'The middle names.'),
    text('honorificPrefix', 'The honorific prefix, such as Ms.'),
    text('honorificSuffix', 'The honorific suffix, such as III.'),
  ]),
  text('displayName', 'The name of the user for display.'),
  text('nickName', 'The casual name of the user.'),
  reference('profileUrl', "The URL of the user's profile page.", { referenceTypes: ['external'] }),
  text('title', 'The job title.'),
  text('userType', 'The relationship with the organization, such as Employee or Contractor.'),
  text('preferredLanguage', 'The languages that the user prefers, as in an Accept-Language header.'),
  text('locale', 'The locale for dates and numbers, such as en-GB.'),
  text('timezone', 'The IANA time zone, such as Europe/Berlin.'),
  boolean('active', 'Whether the user may sign in to the team.'),
  listOf('emails', 'The email addresses of the user.', text('value', 'The email address.'), ['work', 'home', 'other']),
  listOf('phoneNumbers', 'The phone numbers of the user.', text('value', 'The phone number.'), [
    'work',
    'home',
    'mobile',
    'fax',
    'pager',
    'other',
  ]),
  listOf('ims', 'The instant messaging addresses of the user.', text('value', 'The address.')),
  listOf(
    'photos',
    'Pictures of the user.',
    reference('value', 'The URL of the picture.', { referenceTypes: ['external'] }),
    ['photo', 'thumbnail'],
  ),
  complex(
    'addresses',
    'The postal addresses of the user.',
    [
      text('formatted', 'The full postal address for display.'),
      text('streetAddress', 'The street and number; may have several lines.'),
      text('locality', 'The city.'),
      text('region', 'The state or region.'),
      text('postalCode', 'The postal code.'),
      text('country', 'The ISO 3166-1 alpha-2 country code.'),
      text('type', 'The purpose of the address.', { canonicalValues: ['work', 'home', 'other'] }),
      boolean('primary', 'Whether this is the preferred address; at most one is.'),
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'The groups of the user. Change them with the members of the group.',
    [
      text('value', 'The ID of the group.', { caseExact: true, mutability: 'readOnly' }),
      reference('$ref', 'The URL of the group.', { mutability: 'readOnly', referenceTypes: ['Group'] }),
      text('display', 'The name of the group.', { mutability: 'readOnly' }),
      text('type', 'The type of the membership.', { mutability: 'readOnly', canonicalValues: ['direct'] }),
    ],
    { multiValued: true, mutability: 'readOnly' },
  ),
  listOf('entitlements', 'The entitlements of the user, as the client names them.', text('value', 'The entitlement.')),
  listOf('roles', 'The roles of the user, as the client names them.', text('value', 'The role.')),
  listOf('x509Certificates', 'The certificates of the user.', binary('value', 'The certificate, DER in base64.')),
]

/** The attributes of the enterprise extension of a User (RFC 7643 section 4.3). */
export const ENTERPRISE_USER_ATTRIBUTES: readonly Attribute[] = [
  text('employeeNumber', 'The employee number.'),
  text('costCenter', 'The cost center.'),
  text('organization', 'The organization.'),
  text('division', 'The division.'),
  text('department', 'The department.'),
  complex('manager', "The user's manager.", [
    text('value', 'The ID of the manager.'),
    reference('$ref', 'The URL of the manager.', { referenceTypes: ['User'] }),
    text('displayName', 'The name of the manager.', { mutability: 'readOnly' }),
  ]),
]

/** The attributes of a Group (RFC 7643 section 4.2). */
export const GROUP_ATTRIBUTES: readonly Attribute[] = [
  text('displayName', 'The name of the group, unique within the team. Names are case-sensitive.', {
    required: true,
    caseExact: true,
    uniqueness: 'server',
  }),
  complex(
    'members',
    'The users in the group.',
    [
      text('value', 'The ID of the user.', { required: true, caseExact: true, mutability: 'immutable' }),
      reference('$ref', 'The URL of the user.', { mutability: 'immutable', referenceTypes: ['User'] }),
      text('display', 'The email address of the user.', { mutability: 'readOnly' }),
      text('type', 'The type of the member.', { mutability: 'immutable', canonicalValues: ['User'] }),
    ],
    { multiValued: true },
  ),
]
