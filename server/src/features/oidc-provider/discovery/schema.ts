import Type from 'typebox'
import { anyObject } from '../../../platform/http/schema-parts.js'

export const Discovery = Type.Unsafe<Record<string, unknown>>({
  $id: 'Discovery',
  description: 'OpenID Provider metadata (OpenID Connect Discovery 3, RFC 8414)',
  type: 'object',
  additionalProperties: true,
  properties: {
    issuer: { type: 'string' },
    authorization_endpoint: { type: 'string' },
    token_endpoint: { type: 'string' },
    userinfo_endpoint: { type: 'string' },
    jwks_uri: { type: 'string' },
    scopes_supported: { type: 'array', items: { type: 'string' } },
    response_types_supported: { type: 'array', items: { type: 'string' } },
    grant_types_supported: { type: 'array', items: { type: 'string' } },
    subject_types_supported: { type: 'array', items: { type: 'string' } },
    id_token_signing_alg_values_supported: { type: 'array', items: { type: 'string' } },
  },
})

export const Jwks = Type.Object({ keys: Type.Array(anyObject()) }, { description: 'JSON Web Key Set (RFC 7517 5)' })
