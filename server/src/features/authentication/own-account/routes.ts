import Type, { type Static } from 'typebox'
import { RESTRICTIONS, TEAM_RESTRICTIONS } from '../../../platform/http/actor.js'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { pageOf } from '../../../platform/http/paging.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { timestamp } from '../../../platform/http/schema-parts.js'
import { clearSessionCookies, deviceCookie } from '../../sessions/index.js'
import { requestDeletion } from '../account-deletion/request-deletion.js'
import type { AccountDeps } from '../deps.js'
import { EmailBody, Message, NewPassword, TokenBody } from '../schema.js'
import { changePassword } from './change-password.js'
import { confirmEmailChange, requestEmailChange } from './email-change.js'
import { exportAccount } from './export-account.js'
import { readOwnEvents } from './own-events.js'
import { changeOwnProfile, readMe } from './own-profile.js'
import {
  AccountExport,
  ChangeProfile,
  EventsQuery,
  Me,
  OwnEventsPage,
  OwnProfileBody,
  presentMe,
  presentOwnEvent,
} from './schema.js'

const accountWide = { permission: 'signed-in', accountWide: true, tag: 'Own account' } as const

export const passwordRoutes = (deps: AccountDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/change-password',
    endsSessions: true,
    permission: 'signed-in',
    accountWide: true,
    allowedRestrictions: ['password_change', 'team_password_change'],
    tag: 'Sign-in and password',
    summary: "Change the caller's password, and end all other sessions",
    body: Type.Object({
      currentPassword: Type.Optional(
        Type.String({ maxLength: 2_048, description: 'Required while the account has a password' }),
      ),
      newPassword: NewPassword,
    }),
    responses: { 200: Message },
    errors: [
      'wrong_password',
      'password_policy',
      'password_replaced',
      'reauthentication_required',
      'team_sign_in_required',
    ],
    handle: async ({ actor, body, http }) => {
      const proof = { password: body.currentPassword, deviceToken: deviceCookie(http) }
      await changePassword(deps, actor, proof, body.newPassword)
      return { message: 'The password was changed; all other sessions were ended' }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/auth/me',
    permission: 'signed-in',
    allowedRestrictions: RESTRICTIONS.filter((restriction) => restriction !== 'team_sign_in'),
    tag: 'Sign-in and password',
    summary: 'Return the caller, their session and their permissions in the team',
    responses: { 200: Me },
    errors: ['not_a_member', 'team_sign_in_required', 'team_suspended'],
    handle: async ({ actor }) => presentMe(actor, await readMe(deps, actor)),
  }),
]

export const ownAccountRoutes = (deps: AccountDeps): Route[] => [
  defineRoute({
    ...accountWide,
    method: 'PATCH',
    path: '/api/v1/auth/me',
    summary: "Change the given fields of the caller's own profile; null clears a field",
    description: "Inside a team, the team's profile of the member takes precedence.",
    body: ChangeProfile,
    responses: { 200: OwnProfileBody },
    errors: ['team_sign_in_required'],
    handle: ({ actor, body }) => changeOwnProfile(deps, actor, declaredFields(body, ChangeProfile)),
  }),
  defineRoute({
    ...accountWide,
    method: 'DELETE',
    path: '/api/v1/auth/me',
    endsSessions: true,
    allowedRestrictions: TEAM_RESTRICTIONS,
    summary: 'Request the deletion of the own account; it takes effect after 14 days, unless the user signs in before',
    description:
      'Requires a recent sign-in. All sessions, grants and API tokens end at once. Teams without other members are deleted with the account. A user who is the last owner of a team with other members gets `last_owner_of_teams`. An unverified account that other teams added gets `email_not_verified`. Signing in cancels the deletion; the Session then has `deletionCancelled`. See docs/guides/own-account.md.',
    responses: { 200: Type.Object({ message: Type.String(), deletionScheduledAt: timestamp() }) },
    errors: [
      'reauthentication_required',
      'team_sign_in_required',
      'email_not_verified',
      'last_owner_of_teams',
      'instance_team',
    ],
    handle: async ({ actor, http }) => {
      const scheduledAt = await requestDeletion(deps, actor)
      if (http.isFromConsole || http.ownOrigin) clearSessionCookies(http)
      return {
        message: 'The account will be deleted; sign in to keep it',
        deletionScheduledAt: scheduledAt.toISOString(),
      }
    },
  }),
  defineRoute({
    ...accountWide,
    method: 'GET',
    path: '/api/v1/auth/me/export',
    summary: 'Return the data of the own account as a file',
    description:
      'Requires a recent sign-in; at most five times an hour. The file contains no secrets and no data of other users, and at most 1,000 rows of each kind.',
    responses: { 200: AccountExport },
    errors: ['reauthentication_required', 'team_sign_in_required'],
    handle: async ({ actor, http }) => {
      const data = await exportAccount(deps, actor)
      http.setHeader('content-disposition', 'attachment; filename="keyward-account.json"')
      // Every module contributes its parts, and the schema lists them.
      return data as unknown as Static<typeof AccountExport>
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/auth/events',
    permission: 'signed-in',
    tag: 'Own account',
    summary: "List the caller's security events of the last 90 days, newest first",
    description:
      "Sign-ins, failed attempts, changes of credentials and ends of sessions, in all teams. Acts of a team's administrators and directories on the user are listed without their author, while the membership is confirmed (`actor` is `team`). A session that is restricted to a team lists events of that team.",
    query: EventsQuery,
    responses: { 200: OwnEventsPage },
    handle: async ({ actor, query }) => {
      const page = pageOf(query)
      const { events, total } = await readOwnEvents(deps, actor, query, page)
      return { data: events.map(presentOwnEvent), total, ...page }
    },
  }),
  defineRoute({
    ...accountWide,
    method: 'POST',
    path: '/api/v1/auth/me/email',
    summary: 'Request a change of the email address; it takes effect when the link mailed to the new address is used',
    description:
      'Requires a recent sign-in. The response is the same whether or not the email address has an account; the owner of an existing account is notified by mail. The link is valid for 24 hours, until the email address of the account changes or another change is requested. An account can request `LIMIT_MAILS` (20) changes per hour; see docs/concepts/teams-and-users.md.',
    body: EmailBody,
    responses: { 200: Message },
    errors: ['reauthentication_required', 'team_sign_in_required', 'sign_up_not_allowed'],
    handle: async ({ actor, body }) => {
      await requestEmailChange(deps, actor, body.email)
      return { message: 'A mail is on its way to the new email address' }
    },
  }),
  defineRoute({
    ...accountWide,
    method: 'POST',
    path: '/api/v1/auth/confirm-email',
    endsSessions: true,
    summary: 'Confirm the change of the email address by the mailed link',
    description:
      'Requires an access token of the account itself: the user may have mistyped the email address, and the recipient of the link must not gain access to the account.',
    body: TokenBody,
    responses: { 200: Message },
    errors: ['invalid_token', 'wrong_account', 'email_taken', 'sign_up_not_allowed', 'team_sign_in_required'],
    handle: async ({ actor, body }) => {
      await confirmEmailChange(deps, actor, body.token)
      return { message: 'The email address was changed' }
    },
  }),
]
