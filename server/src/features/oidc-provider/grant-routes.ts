import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { OidcProviderDeps } from './deps.js'
import { MyApplicationBody, MyGrantBody, presentMyApplication, presentMyGrant } from './grant-schema.js'
import { myApplications } from './my-applications.js'
import { myGrants, withdrawGrant } from './my-grants.js'

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
    handle: async ({ actor }) => ({ data: (await myApplications(deps, actor)).map(presentMyApplication) }),
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
]
