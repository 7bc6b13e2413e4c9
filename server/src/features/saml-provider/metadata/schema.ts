import Type from 'typebox'
import { timestamp } from '../../../platform/http/schema-parts.js'
import type { ParsedServiceProvider } from './parse-metadata.js'

export const ParseMetadata = Type.Object({
  url: Type.Optional(Type.String({ maxLength: 2_000, description: 'Public URL of the metadata' })),
  xml: Type.Optional(Type.String({ maxLength: 1_000_000 })),
  entityId: Type.Optional(
    Type.String({ maxLength: 1_024, description: 'The entity to read from a document with several entities' }),
  ),
})
export const ParsedMetadata = Type.Object({
  samlSpEntityId: Type.String(),
  samlSpAcsUrl: Type.String(),
  samlSpSloUrl: Type.Optional(Type.String()),
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

export const presentParsedMetadata = (parsed: ParsedServiceProvider) => ({
  ...parsed,
  certificateExpiresAt: parsed.certificateExpiresAt?.toISOString(),
})
