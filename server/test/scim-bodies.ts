import { ENTERPRISE_USER, readResource, ScimFault, type ScimObject } from '../src/protocols/scim/index.js'

export { ENTERPRISE_USER }

export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The body of a PATCH. */
export const patchOf = (...operations: unknown[]) => ({ schemas: [PATCH_OP], Operations: operations })

/** A user as a directory made her, and as the service would show her. */
export const ada = (more: object = {}): ScimObject => ({
  ...readResource('User', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE_USER],
    userName: 'ada@example.com',
    active: true,
    name: { givenName: 'Ada', familyName: 'Byron' },
    emails: [
      { value: 'ada@example.com', type: 'work', primary: true },
      { value: 'ada@home.example', type: 'home' },
    ],
    [ENTERPRISE_USER]: { department: 'Engines' },
    ...more,
  }),
  id: 'u-ada',
  meta: { resourceType: 'User', lastModified: '2026-11-01T10:00:00.000Z' },
})

/** How something is refused, as `400 invalidPath`; what is thrown otherwise goes through. */
export function rejectionOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof ScimFault) return `${error.status} ${error.scimType}`
    throw error
  }
  return 'accepted'
}

/** An object that nobody can alter without an error, all the way down. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen)
    Object.freeze(value)
  }
  return value
}
