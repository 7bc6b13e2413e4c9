import { type Attribute, complex, reference, text } from './attribute.js'

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
