import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { myApplications } from './my-applications.js'
import { allowAgain, myGrants, withdrawGrant, withdrawnGrants } from './my-grants.js'
import {
  MyApplicationBody,
  MyGrantBody,
  presentMyApplication,
  presentMyGrant,
  presentWithdrawnGrant,
  WithdrawnGrantBody,
} from './schema.js'

const OWN_ACCOUNT = { permission: 'signed-in', tag: 'Own account' } as const

/** The applications that a user may use, and the user's grants. */
export const grantRoutes = (deps: OidcProviderDeps): Route[] => [
  defineRoute({
    ...OWN_ACCOUNT,
    method: 'GET',
    path: '/api/v1/auth/applications',
    summary: 'List the applications that the caller may use, in all teams, by name',
    responses: { 200: Type.Object({ data: Type.Array(MyApplicationBody) }) },
    handle: async ({ actor }) => ({
      data: (await myApplications(deps, actor)).map((application) =>
        presentMyApplication(application, deps.config.baseUrl),
      ),
    }),
  }),
  defineRoute({
    ...OWN_ACCOUNT,
    method: 'GET',
    path: '/api/v1/auth/grants',
    summary: "List the caller's grants to applications",
    responses: { 200: Type.Object({ data: Type.Array(MyGrantBody) }) },
    handle: async ({ actor }) => ({ data: (await myGrants(deps, actor)).map(presentMyGrant) }),
  }),
  defineRoute({
    ...OWN_ACCOUNT,
    method: 'DELETE',
    path: '/api/v1/auth/grants/:id',
    summary: "Withdraw the caller's grant to an application",
    description: 'All tokens of the application for the caller are revoked immediately; it must request consent again.',
    params: Type.Object({ id: Type.String({ description: "The application's" }) }),
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['grant_not_found'],
    handle: async ({ actor, params }) => {
      await withdrawGrant(deps, actor, params.id)
      return { message: 'The application can no longer act for you' }
    },
  }),
  defineRoute({
    ...OWN_ACCOUNT,
    method: 'GET',
    path: '/api/v1/auth/grants/withdrawn',
    summary: 'List the agents whose grants the caller withdrew and can restore, by name',
    responses: { 200: Type.Object({ data: Type.Array(WithdrawnGrantBody) }) },
    handle: async ({ actor }) => ({ data: (await withdrawnGrants(deps, actor)).map(presentWithdrawnGrant) }),
  }),
  defineRoute({
    ...OWN_ACCOUNT,
    method: 'POST',
    path: '/api/v1/auth/grants/:id/allow',
    summary: 'Restore the withdrawn grant of an agent',
    description:
      'An agent that exchanges tokens may have no sign-in at which it could request consent. Revoked tokens stay revoked; the agent can exchange new tokens of the caller again.',
    params: Type.Object({ id: Type.String({ description: "The application's" }) }),
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['withdrawn_grant_not_found'],
    handle: async ({ actor, params }) => {
      await allowAgain(deps, actor, params.id)
      return { message: 'The agent can exchange your tokens again' }
    },
  }),
]
