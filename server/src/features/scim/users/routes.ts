import type { Route } from '../../../platform/http/route.js'
import type { ListDeps } from '../model/deps.js'
import { type ResourceDocs, resourceRoutes } from '../model/resource-routes.js'
import { UserBody } from '../model/schema.js'
import { deactivateUser, patchUser, replaceUser } from './change-user.js'
import type { CreateInBatches } from './create-in-batches.js'
import { createUser } from './create-user.js'
import { listUsers, readUser } from './read-users.js'

const WRITING = ['role_protected', 'last_admin', 'uniqueness']

const DOCS: ResourceDocs = {
  list: { summary: "List the team's users in the order in which they were added" },
  create: {
    summary: 'Create or update a user',
    description:
      "A known email address is not a conflict: this team's profile of the user is updated, the membership becomes active, and the response has the same ID. Profiles of other teams do not change.",
    errors: [...WRITING, 'limit_reached'],
  },
  read: { summary: 'Get a user of the team' },
  replace: {
    summary: 'Replace the attributes of a user',
    description: 'Clears attributes that the body does not contain, except `active`.',
    errors: ['mutability', ...WRITING],
  },
  patch: {
    summary: 'Change a user; applies all operations or none',
    description:
      "`active: false` revokes the user's access to the team. The `userName` of a user who also belongs to another team cannot be changed (400 `mutability`).",
    errors: WRITING,
  },
  remove: {
    summary: 'Suspend a user',
    description:
      "Revokes the user's access to the team. The account is also suspended if it belongs to this team only. The user remains with `active: false`, and another DELETE returns 204 again.",
    errors: ['role_protected', 'last_admin'],
  },
}

export const scimUserRoutes = (deps: ListDeps & { createInBatches: CreateInBatches }): Route[] => {
  const useCases = { list: listUsers, create: createUser, read: readUser, replace: replaceUser, patch: patchUser }
  return resourceRoutes(deps, 'User', UserBody, { ...useCases, remove: deactivateUser }, DOCS)
}
