import Type from 'typebox'
import { LARGE_BODY } from '../../platform/http/body-limits.js'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { createProvider } from './create-provider.js'
import { deleteProvider } from './delete-provider.js'
import type { ProviderDeps } from './deps.js'
import { listProviders, readProvider } from './queries.js'
import { CreateProvider, ProviderBody, presentProvider, UpdateProvider } from './schema.js'
import { updateProvider } from './update-provider.js'

const tag = 'Single sign-on'
const params = Type.Object({ providerId: Type.String() })
const ONE = '/api/v1/sso/providers/:providerId'

/** The providers of a team, as its administrators keep them. */
export const providerRoutes = (deps: ProviderDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/sso/providers',
    permission: 'sso:write',
    tag,
    summary: 'Add a provider by which members of the team sign in',
    description:
      'SAML2 needs samlEntityId, samlSsoUrl and samlCertificate, or metadata that has them (samlMetadataUrl, samlMetadata); OIDC needs oidcIssuer, oidcClientId and oidcClientSecret. What the provider does happens with the rights of whoever saved it last, but for its name and whether it is on.',
    bodyLimit: LARGE_BODY,
    body: CreateProvider,
    responses: { 201: ProviderBody },
    errors: ['limit_reached', 'sso_metadata_unreachable', 'sso_metadata_invalid'],
    handle: async ({ actor, body }) =>
      presentProvider(await createProvider(deps, actor, declaredFields(body, CreateProvider)), deps.config.baseUrl),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/sso/providers',
    permission: 'sso:read',
    tag,
    summary: "The team's providers, newest first",
    responses: { 200: Type.Object({ data: Type.Array(ProviderBody) }) },
    handle: async ({ actor }) => ({
      data: (await listProviders(deps, actor)).map((provider) => presentProvider(provider, deps.config.baseUrl)),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    permission: 'sso:read',
    tag,
    summary: 'One provider',
    description: 'Without its client secret and its certificates, which nobody can read again.',
    params,
    responses: { 200: ProviderBody },
    errors: ['sso_provider_not_found'],
    handle: async ({ actor, params }) =>
      presentProvider(await readProvider(deps, actor, params.providerId), deps.config.baseUrl),
  }),
  defineRoute({
    method: 'PUT',
    path: ONE,
    permission: 'sso:write',
    tag,
    summary: 'Change a provider; only what is given changes',
    description:
      'What results must be whole. Sign-ins that are under way are refused. From now on the provider acts with the rights of the caller, unless nothing but `name` and `enabled` is given. Another oidcIssuer or oidcTokenUrl needs the client secret in the same request. Switched off (`enabled` false), the sessions that it opened end. With another issuer, entity id or protocol it knows nobody any more.',
    params,
    bodyLimit: LARGE_BODY,
    body: UpdateProvider,
    responses: { 200: ProviderBody },
    errors: [
      'sso_provider_not_found',
      'sso_secret_needed',
      'sso_metadata_unreachable',
      'sso_metadata_invalid',
      'sso_provider_busy',
    ],
    handle: async ({ actor, params, body }) =>
      presentProvider(
        await updateProvider(deps, actor, params.providerId, declaredFields(body, UpdateProvider)),
        deps.config.baseUrl,
      ),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    permission: 'sso:write',
    tag,
    summary: 'Delete a provider for ever',
    description: 'Whom it knew stays a member of the team. The sessions that it opened end.',
    params,
    responses: { 200: Type.Object({ success: Type.Boolean(), message: Type.String() }) },
    errors: ['sso_provider_not_found'],
    handle: async ({ actor, params }) => {
      await deleteProvider(deps, actor, params.providerId)
      return { success: true, message: 'The provider was deleted' }
    },
  }),
]
