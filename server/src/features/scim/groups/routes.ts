import type { Route } from '../../../platform/http/route.js'
import type { ListDeps } from '../model/deps.js'
import { type ResourceDocs, resourceRoutes } from '../model/resource-routes.js'
import { GroupBody, Nothing, Resource } from '../model/schema.js'
import { listGroups, readGroup } from './read-groups.js'
import { createGroup, deleteGroup, patchGroup, replaceGroup } from './write-group.js'

const DOCS: ResourceDocs = {
  list: {
    summary: "List the team's groups, oldest first",
    description:
      'Includes the members unless `excludedAttributes=members` is sent. A page contains at most 20,000 members in total.',
  },
  create: {
    summary: 'Create a group',
    description: 'Members are users of the team; groups cannot be nested.',
    errors: ['uniqueness'],
  },
  read: { summary: 'Get a group with all of its members' },
  replace: { summary: 'Replace a group and its members', errors: ['uniqueness'] },
  patch: {
    summary: 'Change a group or its members; applies all operations or none',
    description:
      'Returns 204, because a group may be very large; returns the group if `attributes` or `excludedAttributes` is sent.',
    responses: { 200: Resource, 204: Nothing },
    errors: ['uniqueness'],
  },
  remove: { summary: 'Delete a group; its members remain users of the team' },
}

export const scimGroupRoutes = (deps: ListDeps): Route[] => {
  const useCases = { list: listGroups, create: createGroup, read: readGroup, replace: replaceGroup, patch: patchGroup }
  return resourceRoutes(deps, 'Group', GroupBody, { ...useCases, remove: deleteGroup }, DOCS)
}
