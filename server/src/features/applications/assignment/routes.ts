import Type from 'typebox'
import type { Route } from '../../../platform/http/route.js'
import { setRoutes } from '../../../platform/http/set-routes.js'
import type { ApplicationDeps } from '../manage-applications.js'
import { readGroupApplications, replaceGroupApplications } from './assign-applications.js'
import { readAssignment, replaceAssignment } from './assign-users-and-groups.js'

const KINDS = [
  { kind: 'users', field: 'userIds', notFound: 'user_not_found' },
  { kind: 'groups', field: 'groupIds', notFound: 'group_not_found' },
] as const

/** The users and groups to whom an application is assigned. */
export const assignmentRoutes = (deps: ApplicationDeps): Route[] =>
  KINDS.flatMap(({ kind, field, notFound }) =>
    setRoutes({
      path: `/api/v1/applications/:appId/${kind}`,
      param: 'appId',
      tag: 'Applications',
      response: Type.Object({ applicationId: Type.String(), [field]: Type.Array(Type.String()) }),
      field,
      read: {
        permission: 'applications:read',
        summary: `List the ${kind} to whom an application is assigned`,
        errors: ['application_not_found'],
        handle: (actor, id) => readAssignment(deps, actor, kind, id),
      },
      replace: {
        permission: 'applications:write',
        summary: `Replace the ${kind} to whom an application is assigned`,
        description: 'The first assignment sets `assignmentRequired`.',
        errors: ['application_not_found', notFound],
        handle: (actor, id, ids, ifMatch) => replaceAssignment(deps, actor, kind, id, ids, ifMatch),
      },
      idsOf: ({ ids }) => ids,
      present: ({ applicationId, ids }) => ({ applicationId, [field]: ids }),
    }),
  )

const NamedApplication = Type.Object({ id: Type.String(), name: Type.String() })

/** The applications that are assigned to a group. */
export const groupAssignmentRoutes = (deps: ApplicationDeps): Route[] =>
  setRoutes({
    path: '/api/v1/groups/:id/applications',
    param: 'id',
    tag: 'Groups',
    response: Type.Object({ id: Type.String(), applications: Type.Array(NamedApplication) }),
    field: 'applicationIds',
    read: {
      permission: 'groups:read',
      summary: 'List the applications that are assigned to a group',
      description: 'Also requires `applications:read`.',
      errors: ['group_not_found'],
      handle: (actor, id) => readGroupApplications(deps, actor, id),
    },
    replace: {
      permission: 'applications:write',
      summary: 'Replace the applications that are assigned to a group',
      description: 'Its members inherit them. The first assignment of an application sets its `assignmentRequired`.',
      errors: ['group_not_found', 'application_not_found'],
      handle: (actor, id, ids, ifMatch) => replaceGroupApplications(deps, actor, id, ids, ifMatch),
    },
    idsOf: ({ applications }) => applications.map(({ id }) => id),
  })
