import Type from 'typebox'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { SsoDeps } from '../model/deps.js'
import { CaCertificate, CertificateBody, EntityId, Metadata, Uri } from '../providers/schema.js'
import { parseMetadata, presentMetadataSettings } from './parse-metadata.js'

/** Endpoints for SAML metadata without a provider. */
export const metadataRoutes = (deps: SsoDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/sso/metadata/parse',
    permission: 'sso:write',
    tag: 'Single sign-on',
    summary: 'Parse SAML metadata and return the provider settings in it',
    description:
      'Send `url` or `xml`, and `entityId` if the document has several entities. Nothing is stored. A provider created with the same document gets exactly these settings.',
    bodyLimit: LARGE_BODY,
    body: Type.Object({
      url: Type.Optional(Uri),
      xml: Type.Optional(Metadata),
      entityId: Type.Optional(EntityId),
      caCertificate: CaCertificate,
    }),
    responses: {
      200: Type.Object({
        entityId: Type.String(),
        ssoUrl: Type.String(),
        sloUrl: Type.Optional(Type.String({ description: 'Single logout URL of the redirect binding' })),
        sloResponseUrl: Type.Optional(Type.String({ description: 'Its `ResponseLocation`, if it differs' })),
        sloPostUrl: Type.Optional(Type.String({ description: 'Single logout URL of the POST binding' })),
        sloPostResponseUrl: Type.Optional(Type.String({ description: 'Its `ResponseLocation`, if it differs' })),
        certificates: Type.Array(CertificateBody, { description: 'Signing certificates, newest first' }),
        nameIdFormats: Type.Array(Type.String()),
        warnings: Type.Array(Type.String(), { description: 'Parts of the document that are ignored' }),
      }),
    },
    errors: ['sso_metadata_unreachable', 'sso_metadata_invalid'],
    handle: async ({ actor, body }) => presentMetadataSettings(await parseMetadata(deps, actor.teamId, body)),
  }),
]
