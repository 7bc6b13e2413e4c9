import Type from 'typebox'
import { rejection as platformError } from '../../../platform/errors.js'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { timestamp } from '../../../platform/http/schema-parts.js'
import {
  DOCUMENT_HEADERS,
  documentResponses,
  sendDocument,
  toDocument,
} from '../../../platform/http/written-document.js'
import { type Context, ofApplication, tag } from '../model/browser-requests.js'
import type { SamlProviderDeps } from '../model/deps.js'
import { BASE } from '../model/service-provider.js'
import { readMetadata } from './idp-metadata.js'
import { parseMetadata } from './parse-sp-metadata.js'

const XML = 'application/xml'
const METADATA = 'application/samlmetadata+xml'

const ParseMetadata = Type.Object({
  url: Type.Optional(Type.String({ maxLength: 2_000, description: 'Public URL of the metadata' })),
  xml: Type.Optional(Type.String({ maxLength: 1_000_000 })),
  entityId: Type.Optional(
    Type.String({ maxLength: 1_024, description: 'The entity to read from a document with several entities' }),
  ),
})
const ParsedMetadata = Type.Object({
  samlSpEntityId: Type.String(),
  samlSpAcsUrl: Type.String(),
  samlSpSloUrl: Type.Optional(Type.String({ description: 'Single logout URL of the redirect binding' })),
  samlSpSloResponseUrl: Type.Optional(Type.String({ description: 'Its `ResponseLocation`, if it differs' })),
  samlSpSloPostUrl: Type.Optional(Type.String({ description: 'Single logout URL of the POST binding' })),
  samlSpSloPostResponseUrl: Type.Optional(Type.String({ description: 'Its `ResponseLocation`, if it differs' })),
  samlSpCertificate: Type.Optional(Type.String({ description: 'PEM' })),
  samlEncryptAssertion: Type.Boolean({ description: 'The metadata has a usable encryption key' }),
  samlNameIdFormat: Type.Optional(Type.String()),
  certificateExpiresAt: Type.Optional(timestamp()),
  requestedAttributes: Type.Array(
    Type.Object({ name: Type.String(), friendlyName: Type.Optional(Type.String()), isRequired: Type.Boolean() }),
  ),
  warnings: Type.Array(Type.String(), {
    description: 'Parts of the document that are ignored, and other findings for the administrator',
  }),
})

/** Endpoints for Keyward's metadata, and for parsing that of a service provider. */
export const metadataRoutes = (deps: SamlProviderDeps): Route[] => {
  const metadata = (type: string) =>
    ({
      method: 'GET',
      permission: 'public',
      tag,
      summary: "Get the metadata of an application's SAML identity provider",
      description: `\`${type}\`. The entity ID is the URL of \`${BASE}/{appId}/metadata\` in both documents.`,
      responses: documentResponses(Type.String({ description: 'XML: an EntityDescriptor' })),
      headers: DOCUMENT_HEADERS,
      errors: ['application_not_found'],
    }) as const
  const sendMetadata = async (
    { http, sent, origin }: Pick<Context, 'http' | 'sent' | 'origin'>,
    { appId, orgId }: { appId: string; orgId?: string },
    type: string,
  ) => sendDocument(http, sent, toDocument(await readMetadata(deps, appId, orgId, origin), type))

  return [
    defineRoute({
      ...metadata(XML),
      path: '/api/v1/saml/:orgId/:appId/metadata.xml',
      params: Type.Object({ orgId: Type.String(), appId: Type.String() }),
      handle: (context) => sendMetadata(context, context.params, XML),
    }),
    defineRoute({
      ...metadata(METADATA),
      path: `${BASE}/:appId/metadata`,
      params: ofApplication,
      handle: (context) => sendMetadata(context, context.params, METADATA),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v1/applications/metadata/parse',
      permission: 'applications:write',
      tag: 'Applications',
      summary: "Parse a service provider's SAML metadata into the fields of an application",
      description: 'Send `url` or `xml`. Nothing is stored.',
      bodyLimit: LARGE_BODY,
      body: ParseMetadata,
      responses: { 200: ParsedMetadata },
      errors: ['saml_metadata_unreadable'],
      handle: async ({ actor, body }) => {
        const wanted = declaredFields(body, ParseMetadata)
        if ((wanted.url === undefined) === (wanted.xml === undefined))
          throw platformError('invalid_request', {
            detail: 'Send either url or xml',
            errors: [{ path: '/xml', message: 'is required if url is missing; send only one of them' }],
          })
        const { certificateExpiresAt, ...parsed } = await parseMetadata(deps, actor.teamId, wanted)
        return { ...parsed, certificateExpiresAt: certificateExpiresAt?.toISOString() }
      },
    }),
  ]
}
