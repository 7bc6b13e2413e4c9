import Type from 'typebox'
import { LARGE_BODY } from '../../platform/http/body-limits.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { ProviderDeps } from './deps.js'
import { parseMetadata, presentFacts } from './parse-metadata.js'
import { CertificateBody, EntityId, Metadata, Uri } from './schema.js'

/** The metadata of providers of SAML, before there is a provider. */
export const metadataRoutes = (deps: ProviderDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/sso/metadata/parse',
    permission: 'sso:write',
    tag: 'Single sign-on',
    summary: 'What a provider of SAML would take from metadata',
    description:
      'Give `url` or `xml`, and `entityId` where the document has several entities. Nothing is kept. A provider that is made with the same document takes exactly this.',
    bodyLimit: LARGE_BODY,
    body: Type.Object({
      url: Type.Optional(Uri),
      xml: Type.Optional(Metadata),
      entityId: Type.Optional(EntityId),
    }),
    responses: {
      200: Type.Object({
        entityId: Type.String(),
        ssoUrl: Type.String(),
        sloUrl: Type.Optional(Type.String()),
        certificates: Type.Array(CertificateBody, { description: 'By which it signs, the newest first' }),
        nameIdFormats: Type.Array(Type.String()),
        warnings: Type.Array(Type.String(), { description: 'What of it is passed over, in words' }),
      }),
    },
    errors: ['sso_metadata_unreachable', 'sso_metadata_invalid'],
    handle: async ({ actor, body }) => presentFacts(await parseMetadata(deps, actor.teamId, body)),
  }),
]
