import Type from 'typebox'
import { anyObject } from '../../../platform/http/schema-parts.js'

const optional = <T extends Type.TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const text = (description: string) => optional(Type.String({ description }))
const texts = (description: string) => optional(Type.Array(Type.String(), { description }))

// Only the types. The rules of applications validate the values later.
const metadata = {
  client_name: Type.String({ description: 'The name that users see; at most 100 characters' }),
  redirect_uris: texts('Redirect URIs of sign-ins; compared byte for byte'),
  grant_types: texts('Default: authorization_code and refresh_token with redirect_uris, otherwise client_credentials'),
  response_types: texts('Default: code with authorization_code'),
  token_endpoint_auth_method: text(
    'client_secret_basic, client_secret_post, private_key_jwt or none; default: private_key_jwt with jwks, otherwise client_secret_basic',
  ),
  scope: text(
    'The allowed scopes, separated by spaces; default for clients with users: openid profile email offline_access',
  ),
  jwks: optional(Type.Object({ keys: Type.Array(anyObject()) }, { description: 'Public keys (RFC 7517)' })),
  logo_uri: text('https URL of a logo'),
  client_uri: text('Home page, from which a user starts the application'),
  post_logout_redirect_uris: texts('Redirect URIs of sign-outs'),
  backchannel_logout_uri: text('URL that is notified of the end of a session'),
  dpop_bound_access_tokens: optional(Type.Boolean({ description: 'Whether tokens must be bound to a key (RFC 9449)' })),
  subject_type: text('public'),
  id_token_signed_response_alg: text("The algorithm of the issuer's keys"),
}

export const RegisterClient = Type.Object({
  ...metadata,
  team_id: Type.String({ description: 'The team of the client' }),
})
export const RegisterClientOfTeam = Type.Object({
  ...metadata,
  team_id: optional(Type.String({ description: 'Must be the team in the URL' })),
})
export const ReplaceClient = Type.Object({
  ...metadata,
  client_id: Type.String({ description: 'Must be the client in the URL' }),
  client_secret: text('Must be the current secret if present. It cannot be changed'),
  team_id: text('Cannot be changed'),
})

/** RFC 7591 2. */
export type ClientMetadata = Type.Static<typeof RegisterClientOfTeam>

const names = Type.Array(Type.String())

/** RFC 7591 3.2.1, RFC 7592 3. Fields that are not set are omitted. */
const shown = {
  client_id: Type.String(),
  client_id_issued_at: Type.Integer({ description: 'Seconds since 1970' }),
  registration_access_token: Type.String({ description: 'For registration_client_uri' }),
  registration_client_uri: Type.String({
    description: 'URL to read, replace and delete the registration (RFC 7592)',
  }),
  team_id: Type.String(),
  client_name: Type.String(),
  redirect_uris: names,
  grant_types: names,
  response_types: names,
  token_endpoint_auth_method: Type.String(),
  scope: Type.String(),
  jwks: Type.Optional(Type.Object({ keys: Type.Array(anyObject()) })),
  logo_uri: Type.Optional(Type.String()),
  client_uri: Type.Optional(Type.String()),
  post_logout_redirect_uris: names,
  backchannel_logout_uri: Type.Optional(Type.String()),
  dpop_bound_access_tokens: Type.Boolean(),
  subject_type: Type.String(),
  id_token_signed_response_alg: Type.String(),
}

export const RegisteredClient = Type.Object(shown, { $id: 'RegisteredClient' })
export const NewClient = Type.Object(
  {
    ...shown,
    client_secret: Type.Optional(
      Type.String({ description: 'Returned only once; absent if the client authenticates with a key or not at all' }),
    ),
    client_secret_expires_at: Type.Optional(Type.Integer({ description: '0: it does not expire' })),
  },
  { $id: 'NewClient' },
)
