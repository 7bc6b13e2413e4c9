import Type from 'typebox'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { createProvider } from './create-provider.js'
import { reserveProvider } from './reservation.js'
import { CreateProvider, callbackUrl, ProviderBody, presentProvider, UpdateProvider } from './schema.js'
import { deleteProvider, listProviders, readProvider } from './stored-providers.js'
import { updateProvider } from './update-provider.js'

const tag = 'Single sign-on'
const ALL = '/api/v1/sso/providers'
const one = { path: `${ALL}/:providerId`, tag, params: Type.Object({ providerId: Type.String() }) } as const

/** Endpoints for the administration of a team's providers. */
export function providerRoutes(deps: SsoDeps): Route[] {
  const present = (provider: Provider) => presentProvider(provider, deps.config.baseUrl)
  return [
    defineRoute({
      method: 'POST',
      path: ALL,
      permission: 'sso:write',
      tag,
      summary: 'Create a sign-in provider for the members of the team',
      description:
        'SAML2 requires samlEntityId, samlSsoUrl and samlCertificate, or metadata that contains them (samlMetadataUrl, samlMetadata). OIDC requires oidcIssuer, oidcClientId and oidcClientSecret. The provider acts with the permissions of its last editor; a change of only `name` or `enabled` does not change the last editor.',
      bodyLimit: LARGE_BODY,
      body: CreateProvider,
      responses: { 201: ProviderBody },
      errors: ['limit_reached', 'sso_metadata_unreachable', 'sso_metadata_invalid'],
      handle: async ({ actor, body }) =>
        present(await createProvider(deps, actor, declaredFields(body, CreateProvider))),
    }),
    defineRoute({
      method: 'POST',
      path: `${ALL}/reservations`,
      permission: 'sso:write',
      tag,
      summary: 'Reserve the redirect URL of a new OIDC provider',
      description:
        'Register the `callbackUrl` at the provider, then create the provider with the `reservation`. It is valid for 24 hours, in this team, for one provider. The reservation is not stored.',
      responses: {
        200: Type.Object({
          reservation: Type.String(),
          callbackUrl: Type.String({ description: 'Redirect URI to register at the provider' }),
          id: Type.String({ description: 'The ID that the provider will have' }),
        }),
      },
      handle: async ({ actor }) => {
        const { id, reservation } = reserveProvider(deps, actor.teamId)
        return { reservation, callbackUrl: callbackUrl(deps.config.baseUrl, { id }), id }
      },
    }),
    defineRoute({
      method: 'GET',
      path: ALL,
      permission: 'sso:read',
      tag,
      summary: 'List the providers of the team, newest first',
      responses: { 200: Type.Object({ data: Type.Array(ProviderBody) }) },
      handle: async ({ actor }) => ({
        data: (await listProviders(deps, actor)).map(present),
      }),
    }),
    defineRoute({
      ...one,
      method: 'GET',
      permission: 'sso:read',
      summary: 'Get a provider',
      description: 'The client secret and the PEM certificates are never returned.',
      responses: { 200: ProviderBody },
      errors: ['sso_provider_not_found'],
      handle: async ({ actor, params }) => present(await readProvider(deps, actor, params.providerId)),
    }),
    defineRoute({
      ...one,
      method: 'PUT',
      permission: 'sso:write',
      summary: 'Update a provider; omitted fields stay unchanged',
      description:
        'The resulting settings must be complete. Sign-ins in progress are rejected. The provider then acts with the permissions of the caller, unless only `name` and `enabled` are sent. Another oidcIssuer or oidcTokenUrl requires the client secret in the same request. Disabling the provider (`enabled` false) revokes the sessions that it started. Another issuer, entity ID or protocol also deletes the identities that it has linked.',
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
        present(await updateProvider(deps, actor, params.providerId, declaredFields(body, UpdateProvider))),
    }),
    defineRoute({
      ...one,
      method: 'DELETE',
      permission: 'sso:write',
      summary: 'Delete a provider',
      description: 'Its users stay members of the team. The sessions that it started are revoked.',
      responses: { 200: Type.Object({ success: Type.Boolean(), message: Type.String() }) },
      errors: ['sso_provider_not_found'],
      handle: async ({ actor, params }) => {
        await deleteProvider(deps, actor, params.providerId)
        return { success: true, message: 'The provider was deleted' }
      },
    }),
  ]
}
