import { ENTERPRISE_USER, readResource, ScimError, type ScimObject } from '../../src/protocols/scim/index.js'

export { ENTERPRISE_USER }

export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Returns a PATCH body. */
export const patchOf = (...operations: unknown[]) => ({ schemas: [PATCH_OP], Operations: operations })

/** Returns a user as the service would return it. */
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

/** Returns the error of a rejected action, such as `400 invalidPath`. Other errors are rethrown. */
export function rejectionOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof ScimError) return `${error.status} ${error.scimType}`
    throw error
  }
  return 'accepted'
}

/** Freezes an object deeply. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen)
    Object.freeze(value)
  }
  return value
}
