import Type from 'typebox'
import { DUE_IN_TEAM } from '../../platform/http/actor.js'
import { LARGE_BODY } from '../../platform/http/body-limits.js'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { createUser } from './create-user.js'
import { deleteUser } from './delete-user.js'
import type { UserDeps } from './deps.js'
import { leaveTeam, removeFromTeam } from './leave-team.js'
import { listUsers, readUser } from './queries.js'
import { CreateUser, Message, presentUser, UpdateUser, User, UserPage, UserQuery } from './schema.js'
import { updateUser } from './update-user.js'

const tag = 'Users'
const params = Type.Object({ id: Type.String() })
const USERS = '/api/v1/users'
const SETS = ['group_not_found', 'application_not_found'] as const

export const userRoutes = (deps: UserDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: USERS,
    permission: 'users:read',
    tag,
    summary: "The team's users, newest first",
    query: UserQuery,
    responses: { 200: UserPage },
    handle: async ({ actor, query }) => {
      const window = pageOf(query)
      const { users, total } = await listUsers(deps, actor, query, window)
      return { data: users.map(presentUser), total, ...window }
    },
  }),
  defineRoute({
    method: 'POST',
    path: USERS,
    permission: 'users:write',
    tag,
    summary: 'Add a user to the team',
    description:
      'An address that is new here gets an account. One that has an account elsewhere gets a membership, and is told by mail; nothing of the account changes. The user is pending until the first sign-in.',
    bodyLimit: LARGE_BODY,
    body: CreateUser,
    responses: { 201: User },
    errors: ['already_a_member', 'limit_reached', 'password_policy', 'role_protected', ...SETS],
    handle: async ({ actor, body }) => presentUser(await createUser(deps, actor, declaredFields(body, CreateUser))),
  }),
  defineRoute({
    method: 'GET',
    path: `${USERS}/:id`,
    permission: 'users:read',
    tag,
    summary: 'One user',
    params,
    responses: { 200: User },
    errors: ['user_not_found'],
    handle: async ({ actor, params }) => presentUser(await readUser(deps, actor, params.id)),
  }),
  defineRoute({
    method: 'PUT',
    path: `${USERS}/:id`,
    permission: 'users:write',
    tag,
    summary: 'Change a user; only what is given changes',
    description:
      "Names and profile are what this team shows of the user; null takes them away, and the user's own show. A suspended user is signed out of the team and its applications at once.",
    params,
    bodyLimit: LARGE_BODY,
    body: UpdateUser,
    responses: { 200: User },
    errors: ['user_not_found', 'role_protected', 'last_admin', ...SETS],
    handle: async ({ actor, params, body }) =>
      presentUser(await updateUser(deps, actor, params.id, declaredFields(body, UpdateUser))),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${USERS}/:id`,
    permission: 'users:write',
    tag,
    summary: 'Remove a user for good',
    description:
      'Removes the membership. If no other team has a membership in the account, the account is deleted too where this is the home team, or where this team inserted it and its email address is unverified.',
    params,
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
    summary: 'Remove a member; the account is kept',
    description: "`memberId` is the member's id; the user's id is accepted in its place.",
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
    method: 'POST',
    path: '/api/v1/organizations/:orgId/leave',
    permission: 'signed-in',
    accountWide: true,
    whileRestricted: DUE_IN_TEAM,
    tag: 'Organizations',
    summary: 'Leave a team; the account is kept',
    description: 'Any team, also one that has suspended you.',
    params: Type.Object({ orgId: Type.String() }),
    responses: { 200: Message },
    errors: ['organization_not_found', 'team_sign_in_required', 'last_admin'],
    handle: async ({ actor, params }) => {
      await leaveTeam(deps, actor, params.orgId)
      return { message: 'You have left the team' }
    },
  }),
]
