import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { AccountDeps } from '../deps.js'
import { ChangeProfile, EmailBody, Message, OwnProfileBody, TokenBody } from '../schema.js'
import { confirmEmailChange } from './confirm-email-change.js'
import { changeOwnProfile } from './own-profile.js'
import { requestEmailChange } from './request-email-change.js'

const tag = 'Own account'

/** What a person changes of their own account. */
export const ownAccountRoutes = (deps: AccountDeps): Route[] => [
  defineRoute({
    method: 'PATCH',
    path: '/api/v1/auth/me',
    permission: 'signed-in',
    accountWide: true,
    tag,
    summary: "Change the caller's own profile; only what is given changes, and null takes it away",
    description: 'What a team writes about a person stands before it inside that team.',
    body: ChangeProfile,
    responses: { 200: OwnProfileBody },
    errors: ['team_sign_in_required'],
    handle: ({ actor, body }) => changeOwnProfile(deps, actor, declaredFields(body, ChangeProfile)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/me/email',
    permission: 'signed-in',
    accountWide: true,
    tag,
    summary: "Ask for another address; it is the account's when the link that is mailed there is used",
    description:
      'Needs a recent sign-in. The answer is the same whether the address has an account or not; one that has is told so by mail. The link lives for 24 hours, and dies when the address of the account changes or another change is asked for.',
    body: EmailBody,
    responses: { 200: Message },
    errors: ['reauthentication_required', 'team_sign_in_required', 'sign_up_not_allowed'],
    handle: async ({ actor, body }) => {
      await requestEmailChange(deps, actor, body.email)
      return { message: 'A mail is on its way to the new address' }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/confirm-email',
    endsSessions: true,
    permission: 'signed-in',
    accountWide: true,
    tag,
    summary: "Make the address to which the link was mailed the account's",
    description:
      'Only with the Bearer of that very account: an address may have been mistyped, and whoever got the link must not get the account by it.',
    body: TokenBody,
    responses: { 200: Message },
    errors: ['invalid_token', 'wrong_account', 'email_taken', 'sign_up_not_allowed', 'team_sign_in_required'],
    handle: async ({ actor, body }) => {
      await confirmEmailChange(deps, actor, body.token)
      return { message: 'The address was changed' }
    },
  }),
]
