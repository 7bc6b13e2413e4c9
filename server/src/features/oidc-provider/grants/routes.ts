import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { myApplications } from './my-applications.js'
import { myGrants, withdrawGrant } from './my-grants.js'
import {
  MyApplicationBody,
  MyGrantBody,
  presentMyApplication,
  presentMyGrant,
  presentWithdrawnGrant,
  WithdrawnGrantBody,
} from './schema.js'
import { allowAgain, withdrawnGrants } from './withdrawn-grants.js'

const tag = 'Own account'

/** What a user has of applications: those that they may use, and what they have allowed them. */
export const grantRoutes = (deps: OidcProviderDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/auth/applications',
    permission: 'signed-in',
    tag,
    summary: 'The applications that the caller may use, of all their teams, by name',
    responses: { 200: Type.Object({ data: Type.Array(MyApplicationBody) }) },
    handle: async ({ actor }) => ({
      data: (await myApplications(deps, actor)).map((application) =>
        presentMyApplication(application, deps.config.baseUrl),
      ),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/auth/grants',
    permission: 'signed-in',
    tag,
    summary: 'What the caller has allowed applications',
    responses: { 200: Type.Object({ data: Type.Array(MyGrantBody) }) },
    handle: async ({ actor }) => ({ data: (await myGrants(deps, actor)).map(presentMyGrant) }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/auth/grants/:id',
    permission: 'signed-in',
    tag,
    summary: 'Take back what the caller has allowed an application',
    description: 'Everything that the application was given for the caller is dead at once; it must ask anew.',
    params: Type.Object({ id: Type.String({ description: "The application's" }) }),
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['grant_not_found'],
    handle: async ({ actor, params }) => {
      await withdrawGrant(deps, actor, params.id)
      return { message: 'The application can no longer act for you' }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/auth/grants/withdrawn',
    permission: 'signed-in',
    tag,
    summary: 'The agents from which the caller took everything back, and which they may allow again, by name',
    responses: { 200: Type.Object({ data: Type.Array(WithdrawnGrantBody) }) },
    handle: async ({ actor }) => ({ data: (await withdrawnGrants(deps, actor)).map(presentWithdrawnGrant) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/grants/:id/allow',
    permission: 'signed-in',
    tag,
    summary: 'Allow an agent again from which the caller took everything back',
    description:
      'An agent that exchanges tokens of its users need not have a sign-in at which it could ask. What it had stays dead; from now on it is given something for their tokens again.',
    params: Type.Object({ id: Type.String({ description: "The application's" }) }),
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['withdrawn_grant_not_found'],
    handle: async ({ actor, params }) => {
      await allowAgain(deps, actor, params.id)
      return { message: 'The agent may act for you again, with the tokens that it is handed' }
    },
  }),
]
