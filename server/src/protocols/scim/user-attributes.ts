import { type Attribute, binary, complex, flag, listOf, reference, text } from './attribute.js'

/**
 * The attributes of a core User (RFC 7643, section 4.1) that are kept and come back as they were sent. `password` is none of them:
 * what a directory sends of it is ignored like any unknown attribute, and never stored.
 */
export const USER_ATTRIBUTES: readonly Attribute[] = [
  text('userName', 'The email address by which the user signs in.', { required: true, uniqueness: 'server' }),
  complex('name', 'The parts of the name of the user.', [
    text('formatted', 'The whole name, as it is shown.'),
    text('familyName', 'The family name.'),
    text('givenName', 'The given name.'),
    text('middleName', 'The middle names.'),
    text('honorificPrefix', 'What is put before the name, such as Ms.'),
    text('honorificSuffix', 'What is put after the name, such as III.'),
  ]),
  text('displayName', 'The name of the user as it is shown to others.'),
  text('nickName', 'What the user is called in everyday life.'),
  reference('profileUrl', 'The address of a page about the user.', { referenceTypes: ['external'] }),
  text('title', 'The job title.'),
  text('userType', 'What the user is to the organization, such as Employee or Contractor.'),
  text('preferredLanguage', 'The languages that the user prefers, as in an Accept-Language header.'),
  text('locale', 'The locale in which the user reads dates and numbers, such as en-GB.'),
  text('timezone', 'The time zone of the user by its IANA name, such as Europe/Berlin.'),
  flag('active', 'Whether the user may sign in to the team.'),
  listOf('emails', 'The email addresses of the user.', text('value', 'The email address.'), ['work', 'home', 'other']),
  listOf('phoneNumbers', 'The phone numbers of the user.', text('value', 'The phone number.'), [
    'work',
    'home',
    'mobile',
    'fax',
    'pager',
    'other',
  ]),
  listOf('ims', 'The addresses of the user for instant messages.', text('value', 'The address.')),
  listOf(
    'photos',
    'Pictures of the user.',
    reference('value', 'The address of the picture.', { referenceTypes: ['external'] }),
    ['photo', 'thumbnail'],
  ),
  complex(
    'addresses',
    'The postal addresses of the user.',
    [
      text('formatted', 'The whole address, as it is written on an envelope.'),
      text('streetAddress', 'The street with the number, over several lines where there are more.'),
      text('locality', 'The city.'),
      text('region', 'The state or region.'),
      text('postalCode', 'The postal code.'),
      text('country', 'The country as two letters of ISO 3166-1.'),
      text('type', 'What the address is for.', { canonicalValues: ['work', 'home', 'other'] }),
      flag('primary', 'Whether this is the one to prefer; at most one address is.'),
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'The groups of the team that the user is in. They are changed by the members of the group.',
    [
      text('value', 'The id of the group.', { caseExact: true, mutability: 'readOnly' }),
      reference('$ref', 'The address of the group.', { mutability: 'readOnly', referenceTypes: ['Group'] }),
      text('display', 'The name of the group.', { mutability: 'readOnly' }),
      text('type', 'How the user is in the group.', { mutability: 'readOnly', canonicalValues: ['direct'] }),
    ],
    { multiValued: true, mutability: 'readOnly' },
  ),
  listOf(
    'entitlements',
    'What the user is entitled to, in the words of the directory.',
    text('value', 'The entitlement.'),
  ),
  listOf('roles', 'The roles of the user, in the words of the directory.', text('value', 'The role.')),
  listOf('x509Certificates', 'The certificates of the user.', binary('value', 'The certificate, DER in base64.')),
]
