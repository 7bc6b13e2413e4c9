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
    summary: 'What the pages must know before anybody is signed in; also inlined in every page',
    query: Type.Object({
      uid: Type.Optional(
        Type.String({ description: 'Of the request of an application, as it stands in the address of the page' }),
      ),
      idp: Type.Optional(Type.String({ description: 'Its issuer' })),
      saml: Type.Optional(
        Type.String({ description: 'The same of a SAML application: its id, a colon, the id of the request' }),
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
    summary: 'Where a password manager sends its user to change the password (W3C change-password-url)',
    responses: { 302: Type.Null({ description: 'To /account/security' }) },
    handle: ({ http }) => http.redirect(`${deps.config.frontendUrl}/account/security`),
  }),
  defineRoute({
    method: 'GET',
    path: '/.well-known/passkey-endpoints',
    permission: 'public',
    tag: 'Pages',
    summary: 'Where passkeys are managed (W3C passkey endpoints)',
    responses: { 200: Type.Object({ enroll: Type.String(), manage: Type.String() }) },
    handle: () => ({
      enroll: `${deps.config.frontendUrl}/account/security`,
      manage: `${deps.config.frontendUrl}/account/security`,
    }),
  }),
]
