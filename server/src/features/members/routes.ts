import Type from 'typebox'
import { type Actor, DUE_IN_TEAM } from '../../platform/http/actor.js'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { PageQuery, pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { INSTANCE_PERMISSION, sessionRole } from '../permissions/index.js'
import {
  CreateTeam,
  type Organization,
  presentTeam,
  presentTeamWithSettings,
  Team,
  TeamWithSettings,
  UpdateSettings,
  UpdateTeam,
} from '../teams/index.js'
import { blockTeam, confirmTeam, listWaiting, unblockTeam } from './answer-team.js'
import { appointOwner } from './appoint-owner.js'
import { changeRole } from './change-role.js'
import { createTeam } from './create-team.js'
import type { MemberDeps } from './deps.js'
import { invitationRoutes } from './invitation-routes.js'
import { joinTeam, listJoinable } from './join-team.js'
import { listMembers, listTeams, readTeam } from './queries.js'
import {
  JoinablePage,
  Member,
  MemberPage,
  Message,
  presentListed,
  presentMember,
  RoleBody,
  WaitingTeams,
} from './schema.js'
import { updateTeam, updateTeamSettings } from './update-team.js'
import { presentWaiting } from './waiting-team-schema.js'

const tag = 'Organizations'
const TEAM = '/api/v1/organizations/:orgId'
const params = Type.Object({ orgId: Type.String() })
const TEAM_ERRORS = ['organization_not_found', 'team_sign_in_required'] as const

const withSettings = async ({ db, logoStatusOf }: MemberDeps, { role }: Actor, team: Organization) =>
  presentTeamWithSettings(team, sessionRole(role), await logoStatusOf(db, team.id))

export const memberRoutes = (deps: MemberDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/organizations',
    permission: 'signed-in',
    accountWide: true,
    whileRestricted: DUE_IN_TEAM,
    tag,
    summary: 'Create a team; the caller becomes its first super-admin',
    body: CreateTeam,
    responses: { 201: Team },
    errors: ['slug_taken', 'slug_reserved', 'team_sign_in_required'],
    handle: async ({ actor, body }) => {
      const { team, role } = await createTeam(deps, actor, body)
      return presentTeam(team, sessionRole(role))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/organizations',
    permission: 'signed-in',
    whileRestricted: DUE_IN_TEAM,
    tag,
    summary: 'The teams that the caller belongs to',
    description: 'By name. Of more than 1,000 teams, the confirmed ones and then the newest are listed.',
    responses: { 200: Type.Object({ data: Type.Array(Team) }) },
    handle: async ({ actor }) => ({
      data: (await listTeams(deps, actor)).map(({ team, role }) => presentTeam(team, sessionRole(role))),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/organizations/joinable',
    permission: 'signed-in',
    accountWide: true,
    whileRestricted: DUE_IN_TEAM,
    tag,
    summary: "The team that lets in the domain of the caller's verified email address and has verified it by DNS",
    description:
      'Teams that list the domain without a DNS record are not shown; whoever knows the ID of one can join it. A team that removed the caller is not shown either.',
    query: Type.Object(PageQuery),
    responses: { 200: JoinablePage },
    errors: ['team_sign_in_required'],
    handle: async ({ actor, query }) => {
      const page = pageOf(query)
      const { teams, total } = await listJoinable(deps, actor, page)
      return { data: teams, total, ...page }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/organizations/waiting',
    permission: 'signed-in',
    accountWide: true,
    whileRestricted: DUE_IN_TEAM,
    tag,
    summary: 'The teams that added the caller and wait for the caller to join or to block them',
    description:
      'Empty while the email address is unverified. A team that waits is not the default team, sees nothing of the own profile and its applications are not in the launcher. Extension.',
    query: Type.Object({
      blocked: Type.Optional(Type.Boolean({ description: 'true: the teams that the caller has blocked instead' })),
    }),
    responses: { 200: WaitingTeams },
    errors: ['team_sign_in_required'],
    handle: async ({ actor, query }) => ({
      data: (await listWaiting(deps, actor, query.blocked ?? false)).map(presentWaiting),
    }),
  }),
  ...(
    [
      [
        'POST',
        'confirm',
        confirmTeam,
        'Join a team that added the caller',
        'Confirms the membership and ends a block. The session stays in its team; `POST /auth/switch-team` confirms as well. Extension.',
        'You have joined the team',
        [],
      ],
      [
        'POST',
        'block',
        blockTeam,
        'Block a team that added or invited the caller',
        'Its mails to the caller are dropped and it is not listed among the teams that wait, also after it removed the caller and added them again. The team learns nothing of it. Extension.',
        'The team is blocked',
        ['membership_confirmed'],
      ],
      ['DELETE', 'block', unblockTeam, 'End the block of a team', 'Extension.', 'The team is no longer blocked', []],
    ] as const
  ).map(([method, act, run, summary, description, message, errors]) =>
    defineRoute({
      method,
      path: `${TEAM}/${act}`,
      permission: 'signed-in',
      accountWide: true,
      whileRestricted: DUE_IN_TEAM,
      tag,
      summary,
      description,
      params,
      responses: { 200: Message },
      errors: [...TEAM_ERRORS, ...errors],
      handle: async ({ actor, params }) => {
        await run(deps, actor, params.orgId)
        return { message }
      },
    }),
  ),
  defineRoute({
    method: 'POST',
    path: '/api/v1/config/team-owners',
    permission: INSTANCE_PERMISSION,
    tag: 'Instance settings',
    summary: 'Appoint the owner of a team that has none',
    description:
      "For a team whose last owner said that they did not create the account. The new owner is an active member, by their email address. A team with an active owner or super-admin is answered like an unknown one. The instance's audit log names teams without an owner (`organization.owner_missing`). Extension.",
    body: Type.Object({ teamId: Type.String({ maxLength: 100 }), email: Type.String({ maxLength: 320 }) }),
    responses: { 200: Message },
    errors: ['organization_not_found', 'member_not_found'],
    handle: async ({ actor, body }) => {
      await appointOwner(deps, actor, body)
      return { message: 'The member owns the team' }
    },
  }),
  defineRoute({
    method: 'GET',
    path: TEAM,
    permission: 'org:read',
    tag,
    summary: 'One team',
    params,
    teamInPath: true,
    responses: { 200: Team },
    errors: TEAM_ERRORS,
    handle: async ({ actor }) => presentTeam(await readTeam(deps, actor), sessionRole(actor.role)),
  }),
  defineRoute({
    method: 'PUT',
    path: TEAM,
    permission: 'org:update',
    tag,
    summary: 'Change a team; only what is given changes',
    description:
      'A suspended team lets in its owners and super-admins alone. Where ORGANIZATION_LIMITS is `instance`, only administrators of the instance change plan, status, maxMembers and maxApplications.',
    params,
    teamInPath: true,
    body: UpdateTeam,
    responses: { 200: Team },
    errors: ['slug_taken', 'slug_reserved', ...TEAM_ERRORS],
    handle: async ({ actor, body }) =>
      presentTeam(await updateTeam(deps, actor, declaredFields(body, UpdateTeam)), sessionRole(actor.role)),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/org',
    permission: 'org:read',
    tag,
    summary: 'The team of the token, or of x-org-id, with its settings',
    responses: { 200: TeamWithSettings },
    errors: ['organization_not_found'],
    handle: async ({ actor }) => withSettings(deps, actor, await readTeam(deps, actor)),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/v1/org',
    permission: 'org:update',
    tag,
    summary: 'Change the name of the team, and merge settings into its own',
    body: UpdateSettings,
    responses: { 200: TeamWithSettings },
    errors: ['organization_not_found'],
    handle: async ({ actor, body }) => withSettings(deps, actor, await updateTeamSettings(deps, actor, body)),
  }),
  defineRoute({
    method: 'POST',
    path: `${TEAM}/join`,
    permission: 'signed-in',
    accountWide: true,
    whileRestricted: DUE_IN_TEAM,
    tag,
    summary: "Join a team that lets in the domain of the caller's proven address, as MEMBER",
    params,
    responses: { 200: Team },
    errors: ['limit_reached', ...TEAM_ERRORS],
    handle: async ({ actor, params }) => {
      const { team, role } = await joinTeam(deps, actor, params.orgId)
      return presentTeam(team, sessionRole(role))
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${TEAM}/members`,
    permission: 'members:read',
    tag: 'Members and invitations',
    summary: 'The members of a team, newest first',
    params,
    teamInPath: true,
    query: Type.Object(PageQuery),
    responses: { 200: MemberPage },
    errors: TEAM_ERRORS,
    handle: async ({ actor, query }) => {
      const page = pageOf(query)
      const { rows, total } = await listMembers(deps, actor, page)
      return { data: rows.map(presentListed), total, ...page }
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `${TEAM}/members/:memberId/role`,
    permission: 'members:write',
    tag: 'Members and invitations',
    summary: 'Give a member another role',
    description: "`memberId` is the membership's id; the user's id is taken in its place.",
    params: Type.Object({ orgId: Type.String(), memberId: Type.String() }),
    teamInPath: true,
    body: RoleBody,
    responses: { 200: Member },
    errors: ['member_not_found', 'role_protected', 'last_admin', ...TEAM_ERRORS],
    handle: async ({ actor, params, body }) => presentMember(await changeRole(deps, actor, params.memberId, body.role)),
  }),
  ...invitationRoutes(deps),
]
