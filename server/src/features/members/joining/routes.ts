import Type from 'typebox'
import { TEAM_RESTRICTIONS } from '../../../platform/http/actor.js'
import { PageQuery, pageOf } from '../../../platform/http/paging.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { Message } from '../../../platform/http/schema-parts.js'
import { presentTeam, Team } from '../../teams/index.js'
import type { MemberDeps } from '../deps.js'
import { OF_TEAM, TEAM, TEAM_ERRORS } from '../schema.js'
import { blockTeam, confirmTeam, listWaiting, unblockTeam } from './answer-team.js'
import { joinTeam, listJoinable } from './join-team.js'
import { JoinablePage, presentWaiting, WaitingTeams } from './schema.js'

const { params } = OF_TEAM
/** A route on the caller's own memberships. */
const OF_ACCOUNT = {
  permission: 'signed-in',
  accountWide: true,
  allowedRestrictions: TEAM_RESTRICTIONS,
  tag: 'Organizations',
} as const

/** How users join, confirm and block teams. */
export const joiningRoutes = (deps: MemberDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/organizations/joinable',
    ...OF_ACCOUNT,
    summary: "List the team that admits the domain of the caller's verified email address and has verified it by DNS",
    description:
      'Teams that admit the domain without a verified DNS record are not listed, but can be joined by ID. A team that removed the caller is not listed.',
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
    ...OF_ACCOUNT,
    summary: 'List the teams that added the caller and wait for a decision to join or block',
    description:
      'Empty while the email address is unverified. A waiting team is not the default team, cannot see the own profile, and its applications are not in the launcher. Extension.',
    query: Type.Object({
      blocked: Type.Optional(Type.Boolean({ description: 'true: lists the teams that the caller blocked instead' })),
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
        'Confirms the membership and ends a block. The session stays in its team; `POST /auth/switch-team` also confirms. Extension.',
        'You have joined the team',
        [],
      ],
      [
        'POST',
        'block',
        blockTeam,
        'Block a team that added or invited the caller',
        'Its mails to the caller are dropped and it is not listed among the waiting teams, even after it removes the caller and adds them again. The team is not notified. Extension.',
        'The team is blocked',
        ['membership_confirmed'],
      ],
      ['DELETE', 'block', unblockTeam, 'Unblock a team', 'Extension.', 'The team is no longer blocked', []],
    ] as const
  ).map(([method, act, run, summary, description, message, errors]) =>
    defineRoute({
      method,
      path: `${TEAM}/${act}`,
      ...OF_ACCOUNT,
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
    path: `${TEAM}/join`,
    ...OF_ACCOUNT,
    summary: "Join a team that admits the domain of the caller's verified email address, as MEMBER",
    params,
    responses: { 200: Team },
    errors: ['limit_reached', ...TEAM_ERRORS],
    handle: async ({ actor, params }) => {
      const { team, role } = await joinTeam(deps, actor, params.orgId)
      return presentTeam(team, role)
    },
  }),
]
