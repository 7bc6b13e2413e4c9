import { type Attribute, complex, reference, text } from './attribute.js'

/** The attributes of the enterprise extension of a User (RFC 7643, section 4.3). */
export const ENTERPRISE_USER_ATTRIBUTES: readonly Attribute[] = [
  text('employeeNumber', 'The number by which the organization knows the user.'),
  text('costCenter', 'The cost center.'),
  text('organization', 'The organization.'),
  text('division', 'The division.'),
  text('department', 'The department.'),
  complex('manager', 'Whom the user reports to.', [
    text('value', 'The id of the manager.'),
    reference('$ref', 'The address of the manager.', { referenceTypes: ['User'] }),
    text('displayName', 'The name of the manager.', { mutability: 'readOnly' }),
  ]),
]
