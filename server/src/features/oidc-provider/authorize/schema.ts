import Type from 'typebox'
import { anyObject } from '../../../platform/http/any-object.js'
import type { InteractionView } from './read-interaction.js'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const optionalText = (description: string) => Type.Optional(Type.String({ description }))

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

export const AuthorizeQuery = Type.Object({
  client_id: Type.String(),
  redirect_uri: Type.String({ description: 'One that is registered, byte for byte' }),
  response_type: Type.String({ description: 'code' }),
  scope: Type.String({ description: 'Separated by spaces; what the application may not have is left out' }),
  state: Type.String(),
  code_challenge: optionalText('RFC 7636; required for a public client'),
  code_challenge_method: optionalText('S256'),
  nonce: optionalText('Comes back in the ID token'),
  prompt: optionalText('none, login or consent'),
  max_age: optionalText('Seconds since the last sign-in that are still good'),
  login_hint: optionalText('The address that the sign-in page shows'),
  id_token_hint: optionalText('An ID token of the user that is expected'),
  claims: optionalText('OpenID Connect Core 5.5'),
  acr_values: optionalText('Comes back in the ID token where it is met'),
  resource: optionalText('RFC 8707: a resource server that is registered for the application; else the issuer itself'),
  dpop_jkt: optionalText('RFC 9449 10: the key that must prove itself where the code is exchanged'),
  request_uri: optionalText('RFC 9126: stands for a pushed request, with `client_id` alone beside it'),
})

const credentials = {
  client_id: optionalText('Where the client does not authenticate by Basic'),
  client_secret: optionalText('Of a client that sends its secret in the body'),
  client_assertion: optionalText('RFC 7523'),
  client_assertion_type: optionalText('RFC 7523'),
}

const { request_uri: _reference, client_id: _client, ...pushable } = AuthorizeQuery.properties
export const PushedForm = Type.Object({ ...pushable, ...credentials })

export const PushedAnswer = Type.Object({
  request_uri: Type.String({ description: 'For authorize, once' }),
  expires_in: Type.Integer({ description: 'Seconds' }),
})

export const DeviceForm = Type.Object({
  ...credentials,
  scope: optionalText('Separated by spaces; the default scopes of the application where it is left out'),
  resource: optionalText('RFC 8707'),
})

export const DeviceAnswer = Type.Object({
  device_code: Type.String({ description: 'For the token endpoint' }),
  user_code: Type.String({ description: 'To show to the user: eight letters' }),
  verification_uri: Type.String({ description: 'The page on which the user types the code' }),
  verification_uri_complete: Type.String({ description: 'The same page with the code, for a QR code' }),
  expires_in: Type.Integer({ description: 'Seconds' }),
  interval: Type.Integer({ description: 'Seconds to wait between two questions' }),
})

export const TokenForm = Type.Object({
  grant_type: Type.String({
    description:
      'authorization_code, refresh_token, client_credentials, urn:ietf:params:oauth:grant-type:device_code or urn:ietf:params:oauth:grant-type:token-exchange',
  }),
  code: optionalText('For authorization_code'),
  redirect_uri: optionalText('As in the authorize request'),
  code_verifier: optionalText('RFC 7636; required where a challenge was sent'),
  refresh_token: optionalText('For refresh_token'),
  device_code: optionalText('For the device grant (RFC 8628)'),
  subject_token: optionalText("For the exchange (RFC 8693): the user's access token that an agent brings"),
  subject_token_type: optionalText('urn:ietf:params:oauth:token-type:access_token'),
  requested_token_type: optionalText('The same, or left out'),
  audience: optionalText('For the exchange: that of the subject token, or left out'),
  resource: optionalText('RFC 8707: one of those that were asked for'),
  client_id: optionalText('Where the client does not authenticate by Basic'),
  client_secret: optionalText('Of a client that sends its secret in the body'),
  client_assertion: optionalText('RFC 7523'),
  client_assertion_type: optionalText('RFC 7523'),
  scope: optionalText('Fewer than were granted'),
})

export const TokenAnswer = Type.Object(
  {
    access_token: Type.String({ description: 'JWT (RFC 9068)' }),
    token_type: Type.String({ description: 'Bearer, or DPoP for a token that is bound to a key' }),
    expires_in: Type.Integer(),
    scope: Type.Optional(Type.String()),
    refresh_token: Type.Optional(Type.String({ description: 'Where offline_access was granted' })),
    id_token: Type.Optional(Type.String()),
    issued_token_type: Type.Optional(Type.String({ description: 'Of an exchange (RFC 8693)' })),
  },
  { $id: 'TokenResponse' },
)

export const Userinfo = Type.Unsafe<Record<string, unknown>>({
  description: 'The claims that the scopes of the token reach',
  type: 'object',
  additionalProperties: true,
  properties: {
    sub: { type: 'string' },
    email: { type: 'string' },
    email_verified: { type: 'boolean' },
    name: { type: 'string' },
    given_name: { type: 'string' },
    family_name: { type: 'string' },
  },
})

export const UserinfoForm = Type.Object({ access_token: optionalText('Where it is not in the header (RFC 6750 2.2)') })

export const TokenBody = Type.Object({
  token: Type.String({ maxLength: 20_000 }),
  token_type_hint: optionalText('Not needed'),
  client_id: optionalText('A client that the token is not of learns nothing'),
  client_secret: optionalText('Verified when it is sent'),
  client_assertion: optionalText(
    'RFC 7523: verified when it is sent, and used up by that. Its audience is this endpoint, the token endpoint or the issuer',
  ),
  client_assertion_type: optionalText('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
})

export const Introspection = Type.Unsafe<Record<string, unknown>>({
  description: 'RFC 7662 2.2; of anything that is not live exactly {"active": false}',
  type: 'object',
  additionalProperties: true,
  required: ['active'],
  properties: {
    active: { type: 'boolean' },
    scope: { type: 'string' },
    client_id: { type: 'string' },
    exp: { type: 'integer' },
    iat: { type: 'integer' },
    sub: { type: 'string' },
  },
})

export const EndSessionQuery = Type.Object({
  id_token_hint: optionalText('An ID token of ours, of any age'),
  client_id: optionalText('Where there is no hint'),
  post_logout_redirect_uri: optionalText('One that is registered'),
  state: optionalText('Comes back with the redirect'),
})

export const InteractionAnswer = Type.Object(
  {
    uid: Type.String(),
    application: Type.Object({
      id: Type.String(),
      name: Type.String(),
      description: nullable(Type.String()),
      logoUrl: nullable(Type.String()),
    }),
    team: Type.Object({ id: Type.String(), name: Type.String() }),
    scopes: Type.Array(Type.String(), { description: 'What the application asks for and may have' }),
    newScopes: Type.Array(Type.String(), { description: 'Those of them that the user has not allowed yet' }),
    redirectUri: Type.String(),
    consentRequired: Type.Boolean({ description: 'The user must be asked' }),
    secondFactorRequired: Type.Boolean({
      description: 'A policy of the team wants a second factor: `POST /auth/reauthenticate` with a code or a passkey',
    }),
    loginRequired: Type.Boolean({ description: 'The application wants a sign-in that is newer than its request' }),
    isAiAgent: Type.Boolean(),
    scopeDetails: Type.Array(Type.Object({ name: Type.String(), description: nullable(Type.String()) }), {
      description: 'What the team says of the scopes',
    }),
    device: nullable(
      Type.Object(
        {
          ipAddress: nullable(Type.String()),
          country: nullable(Type.String({ description: 'ISO 3166 code, as far as the address tells' })),
          userAgent: nullable(Type.String()),
          requestedAt: Type.String({ format: 'date-time' }),
        },
        { description: 'The device on whose behalf it is answered, by the code that it shows' },
      ),
    ),
  },
  { $id: 'Interaction' },
)

export const presentInteraction = ({ interaction, team, ...view }: InteractionView) => {
  const { id, name, description, logoUrl, isAiAgent } = interaction.application
  return {
    uid: interaction.uid,
    application: { id, name, description, logoUrl },
    team: { id: team.id, name: team.name },
    scopes: view.scopes,
    newScopes: view.newScopes,
    redirectUri: view.redirectUri,
    consentRequired: view.consentRequired,
    loginRequired: view.loginRequired,
    secondFactorRequired: view.secondFactorRequired,
    isAiAgent,
    scopeDetails: view.scopeDetails,
    device: view.device && { ...view.device, requestedAt: view.device.requestedAt.toISOString() },
  }
}

export const PendingLogout = Type.Object({
  application: nullable(Type.Object({ id: Type.String(), name: Type.String(), logoUrl: nullable(Type.String()) })),
  redirectTo: nullable(Type.String()),
})
