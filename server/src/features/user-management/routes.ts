import Type from 'typebox'
import { TEAM_RESTRICTIONS } from '../../platform/http/actor.js'
import { LARGE_BODY } from '../../platform/http/body-limits.js'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { createUser } from './create-user.js'
import { deleteTeam } from './delete-team.js'
import type { UserDeps } from './deps.js'
import { listUsers, readUser } from './queries.js'
import { deleteUser, leaveTeam, removeFromTeam } from './remove-member.js'
import { CreateUser, Message, presentUser, UpdateUser, User, UserPage, UserQuery } from './schema.js'
import { updateUser } from './update-user.js'

const tag = 'Users'
const ofUser = { tag, path: '/api/v1/users/:id', params: Type.Object({ id: Type.String() }) } as const
const ofOrganization = { tag: 'Organizations', params: Type.Object({ orgId: Type.String() }) } as const
const USERS = '/api/v1/users'
const SETS = ['group_not_found', 'application_not_found'] as const

export const userRoutes = (deps: UserDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: USERS,
    permission: 'users:read',
    tag,
    summary: "List the team's users, by default newest first",
    query: UserQuery,
    responses: { 200: UserPage },
    errors: ['group_not_found', 'application_not_found'],
    handle: async ({ actor, query }) => {
      const window = pageOf(query)
      const { users, total } = await listUsers(deps, actor, query, window)
      return { data: users.map((user) => presentUser(user, actor)), total, ...window }
    },
  }),
  defineRoute({
    method: 'POST',
    path: USERS,
    permission: 'users:write',
    tag,
    summary: 'Add a user to the team',
    description:
      'A new email address gets an account. One that already has an account gets a membership, and its owner is notified by mail; the account does not change. The user is pending until the first sign-in.',
    bodyLimit: LARGE_BODY,
    body: CreateUser,
    responses: { 201: User },
    errors: ['already_a_member', 'limit_reached', 'password_policy', 'role_protected', ...SETS],
    handle: async ({ actor, body }) =>
      presentUser(await createUser(deps, actor, declaredFields(body, CreateUser)), actor),
  }),
  defineRoute({
    ...ofUser,
    method: 'GET',
    permission: 'users:read',
    summary: 'Get a user',
    responses: { 200: User },
    errors: ['user_not_found'],
    handle: async ({ actor, params }) => presentUser(await readUser(deps, actor, params.id), actor),
  }),
  defineRoute({
    ...ofUser,
    method: 'PUT',
    permission: 'users:write',
    summary: 'Update a user; fields that are left out do not change',
    description:
      "Names and profile belong to this team's membership; null clears a field, and the user's own value is shown instead. Suspending a user revokes their access to the team and its applications immediately.",
    bodyLimit: LARGE_BODY,
    body: UpdateUser,
    responses: { 200: User },
    errors: ['user_not_found', 'role_protected', 'last_admin', ...SETS],
    handle: async ({ actor, params, body }) =>
      presentUser(await updateUser(deps, actor, params.id, declaredFields(body, UpdateUser)), actor),
  }),
  defineRoute({
    ...ofUser,
    method: 'DELETE',
    permission: 'users:write',
    summary: 'Remove a user permanently',
    description:
      'Removes the membership. Also deletes the account if no other team has a membership in it, and either this is the home team or this team inserted it and the email address is unverified.',
    responses: { 200: Message },
    errors: ['user_not_found', 'role_protected', 'last_admin'],
    handle: async ({ actor, params }) => {
      await deleteUser(deps, actor, params.id)
      return { message: 'The user was removed' }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/organizations/:orgId/members/:memberId',
    permission: 'members:write',
    tag: 'Organizations',
    summary: 'Remove a member; the account stays',
    description: '`memberId` is the membership ID or the user ID.',
    params: Type.Object({ orgId: Type.String(), memberId: Type.String() }),
    teamInPath: true,
    responses: { 200: Message },
    errors: ['organization_not_found', 'user_not_found', 'role_protected', 'last_admin'],
    handle: async ({ actor, params }) => {
      await removeFromTeam(deps, actor, params.memberId)
      return { message: 'The member was removed' }
    },
  }),
  defineRoute({
    ...ofOrganization,
    method: 'POST',
    path: '/api/v1/organizations/:orgId/leave',
    permission: 'signed-in',
    accountWide: true,
    allowedRestrictions: TEAM_RESTRICTIONS,
    summary: 'Leave a team; the account stays',
    description: 'Also works for a team that has suspended you.',
    responses: { 200: Message },
    errors: ['organization_not_found', 'team_sign_in_required', 'last_admin'],
    handle: async ({ actor, params }) => {
      await leaveTeam(deps, actor, params.orgId)
      return { message: 'You have left the team' }
    },
  }),
  defineRoute({
    ...ofOrganization,
    method: 'DELETE',
    path: '/api/v1/organizations/:orgId',
    permission: 'org:delete',
    summary: 'Permanently delete a team and everything in it',
    description:
      'Requires authentication within the last 15 minutes. Members keep their accounts. The team that administers the instance cannot be deleted.',
    teamInPath: true,
    responses: { 200: Message },
    errors: ['reauthentication_required', 'instance_team', 'organization_not_found', 'team_sign_in_required'],
    handle: async ({ actor }) => {
      await deleteTeam(deps, actor)
      return { message: 'The team and everything in it was deleted' }
    },
  }),
]
