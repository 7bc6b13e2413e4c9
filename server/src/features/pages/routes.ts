import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { Boot, readBootData } from './boot-data.js'
import type { PageDeps } from './register-pages.js'

export const pageRoutes = (deps: PageDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/public/bootstrap',
    permission: 'public',
    tag: 'Pages',
    summary: 'Get the data that pages need before sign-in; also inlined in every page',
    query: Type.Object({
      uid: Type.Optional(Type.String({ description: 'ID of the application request, from the URL of the page' })),
      idp: Type.Optional(Type.String({ description: 'Issuer of the request' })),
      saml: Type.Optional(
        Type.String({ description: 'As `uid` for a SAML application: its ID, a colon, the ID of the request' }),
      ),
    }),
    responses: { 200: Boot },
    handle: ({ http, query }) => readBootData(deps, http, query),
  }),
  defineRoute({
    method: 'GET',
    path: '/.well-known/change-password',
    permission: 'public',
    tag: 'Pages',
    summary: 'Redirect a password manager to the page that changes the password (W3C change-password-url)',
    responses: { 302: Type.Null({ description: 'To /account/security' }) },
    handle: ({ http }) => http.redirect(`${deps.config.frontendUrl}/account/security`),
  }),
  defineRoute({
    method: 'GET',
    path: '/.well-known/passkey-endpoints',
    permission: 'public',
    tag: 'Pages',
    summary: 'Get the URLs of passkey management (W3C passkey endpoints)',
    responses: { 200: Type.Object({ enroll: Type.String(), manage: Type.String() }) },
    handle: () => ({
      enroll: `${deps.config.frontendUrl}/account/security`,
      manage: `${deps.config.frontendUrl}/account/security`,
    }),
  }),
]
