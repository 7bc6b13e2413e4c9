import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { nullable, timestamp } from '../../../platform/http/schema-parts.js'
import type { PendingInvitation } from '../../members/index.js'
import { type PasswordPolicy, PasswordRules } from '../../password-policy/index.js'
import { presentSession, Session } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { Name, NewPassword, remember, Token } from '../schema.js'
import { ifSignedIn, presentSignIn, SIGN_IN_ERRORS, signInRequest } from '../sign-in/sign-in-exchange.js'
import { acceptInvitation, readInvitation } from './accept-invitation.js'

const shared = { permission: 'public', tag: 'Members and invitations' } as const

const InvitationShown = Type.Object(
  {
    team: Type.Object({
      id: Type.String(),
      name: Type.String(),
      slug: Type.String(),
      logoUrl: nullable(Type.String()),
      primaryColor: nullable(Type.String()),
    }),
    email: Type.String(),
    role: Type.String(),
    inviter: Type.Object({
      name: nullable(Type.String()),
      email: Type.Union([Type.String(), Type.Null()], { description: 'Null while the inviter has not verified it' }),
    }),
    expiresAt: timestamp(),
    status: Type.Literal('PENDING'),
    passwordPolicy: PasswordRules,
  },
  { $id: 'InvitationShown' },
)

const present = (
  { team: { status: _, ...team }, email, role, inviter, expiresAt }: PendingInvitation,
  passwordPolicy: PasswordPolicy,
) => ({
  team,
  email,
  role,
  inviter: { name: inviter?.name ?? null, email: inviter?.email ?? null },
  expiresAt: expiresAt.toISOString(),
  status: 'PENDING' as const,
  passwordPolicy,
})

const INVITATION_ERRORS = ['invalid_token', 'invitation_withdrawn', 'team_suspended'] as const

export const invitationRoutes = (deps: AccountDeps): Route[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/api/v1/invitations/:token',
    summary: 'Return the invitation of a link',
    description:
      'The response is the same whether or not the email address has an account. `passwordPolicy` has the rules for a `password` of `POST /invitations/accept`.',
    params: Type.Object({ token: Type.String() }),
    responses: { 200: InvitationShown },
    errors: INVITATION_ERRORS,
    handle: async ({ params, origin }) => {
      const { invitation, policy } = await readInvitation(deps, params.token, origin)
      return present(invitation, policy)
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/api/v1/invitations/accept',
    summary: 'Accept an invitation and sign in to its team',
    description:
      'Without an account, `password` creates one with a verified email address. With an account, the request needs its access token, and that session switches to the team; otherwise the response is `account_exists`. An unverified account loses its password and its sessions first, as with `POST /auth/verify`; `cleaned` lists what was removed. An error leaves the invitation pending.',
    body: Type.Object({
      token: Token,
      password: Type.Optional(NewPassword),
      firstName: Type.Optional(Name),
      lastName: Type.Optional(Name),
      remember,
    }),
    responses: { 200: Session },
    errors: [
      ...INVITATION_ERRORS,
      ...SIGN_IN_ERRORS,
      'account_exists',
      'wrong_account',
      'limit_reached',
      'password_policy',
      'password_change_required',
      'mfa_enrollment_required',
      'second_factor_required',
      'invalid_access_token',
    ],
    handle: async (context) => {
      const { http, body } = context
      const request = signInRequest(context, context.body)
      const caller = await ifSignedIn(context.signedIn)
      const { signedIn, moved, cleaned } = await acceptInvitation(deps, body, request, caller)
      const session =
        moved && !('mfaToken' in signedIn)
          ? presentSession(http, signedIn)
          : await presentSignIn(deps, http, request, signedIn)
      return { ...session, ...(cleaned && { cleaned }) }
    },
  }),
]
