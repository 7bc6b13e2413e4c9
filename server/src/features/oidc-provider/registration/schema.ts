import Type from 'typebox'
import { anyObject } from '../../../platform/http/any-object.js'

const optional = <T extends Type.TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const text = (description: string) => optional(Type.String({ description }))
const texts = (description: string) => optional(Type.Array(Type.String(), { description }))

// Here are the types alone. What the values may be is said by the rules of applications, which judge them afterwards.
const metadata = {
  client_name: Type.String({ description: 'The name that people see; at most 100 characters' }),
  redirect_uris: texts('Where sign-ins lead back to; compared byte for byte'),
  grant_types: texts(
    'Default: authorization_code and refresh_token where there are redirect_uris, else client_credentials',
  ),
  response_types: texts('Default: code where there is authorization_code'),
  token_endpoint_auth_method: text(
    'client_secret_basic, client_secret_post, private_key_jwt or none; default: private_key_jwt where there are jwks, else client_secret_basic',
  ),
  scope: text('What it may ask for, separated by spaces; default for people: openid profile email offline_access'),
  jwks: optional(Type.Object({ keys: Type.Array(anyObject()) }, { description: 'Public keys (RFC 7517)' })),
  logo_uri: text('https address of a picture'),
  client_uri: text('Its home page, where a user starts it'),
  post_logout_redirect_uris: texts('Where a sign-out may lead'),
  backchannel_logout_uri: text('Where the end of a session is told to'),
  dpop_bound_access_tokens: optional(Type.Boolean({ description: 'Its tokens must be bound to a key (RFC 9449)' })),
  subject_type: text('public'),
  id_token_signed_response_alg: text("The algorithm of the issuer's keys"),
}

export const RegisterClient = Type.Object({
  ...metadata,
  team_id: Type.String({ description: 'The team that the client shall belong to' }),
})
export const RegisterClientOfTeam = Type.Object({
  ...metadata,
  team_id: optional(Type.String({ description: 'Must be the team of the address' })),
})
export const ReplaceClient = Type.Object({
  ...metadata,
  client_id: Type.String({ description: 'That of the address' }),
  client_secret: text('Where it is sent: the present one. It cannot be chosen'),
  team_id: text('Cannot be changed'),
})

/** RFC 7591 2. */
export type ClientMetadata = Type.Static<typeof RegisterClientOfTeam>

const names = Type.Array(Type.String())

/** RFC 7591 3.2.1, RFC 7592 3. What is not set is left out. */
const shown = {
  client_id: Type.String(),
  client_id_issued_at: Type.Integer({ description: 'Seconds since 1970' }),
  registration_access_token: Type.String({ description: 'For registration_client_uri' }),
  registration_client_uri: Type.String({
    description: 'Where the registration is read, replaced and deleted (RFC 7592)',
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
      Type.String({ description: 'Shown this once; absent where the client proves itself by a key or not at all' }),
    ),
    client_secret_expires_at: Type.Optional(Type.Integer({ description: '0: it does not end by itself' })),
  },
  { $id: 'NewClient' },
)
