import Type from 'typebox'
import { nullable, timestamp } from '../../../platform/http/schema-parts.js'
import { clientCredentials, optionalText } from '../model/schema.js'
import type { InteractionView } from './read-interaction.js'

export const AuthorizeQuery = Type.Object({
  client_id: Type.String(),
  redirect_uri: Type.String({ description: 'A registered URI, byte for byte' }),
  response_type: Type.String({ description: 'code' }),
  scope: Type.String({ description: 'Separated by spaces; scopes that the application does not have are dropped' }),
  state: Type.String(),
  code_challenge: optionalText('RFC 7636; required for a public client'),
  code_challenge_method: optionalText('S256'),
  nonce: optionalText('Returned in the ID token'),
  prompt: optionalText('none, login or consent'),
  max_age: optionalText('Maximum age of the sign-in, in seconds'),
  login_hint: optionalText('The email address that the sign-in page shows'),
  id_token_hint: optionalText('An ID token of the expected user'),
  claims: optionalText('OpenID Connect Core 5.5'),
  acr_values: optionalText('Returned in the ID token if met'),
  resource: optionalText(
    'RFC 8707: a resource server that is registered for the application; default: the issuer itself',
  ),
  dpop_jkt: optionalText('RFC 9449 10: the thumbprint of the key that the code is bound to'),
  request_uri: optionalText('RFC 9126: a pushed request; send only `client_id` with it'),
})

const { request_uri: _reference, client_id: _client, ...pushable } = AuthorizeQuery.properties
export const PushedForm = Type.Object({ ...pushable, ...clientCredentials })

export const PushedRequestBody = Type.Object({
  request_uri: Type.String({ description: 'For one authorization request' }),
  expires_in: Type.Integer({ description: 'Seconds' }),
})

export const InteractionBody = Type.Object(
  {
    uid: Type.String(),
    application: Type.Object({
      id: Type.String(),
      name: Type.String(),
      description: nullable(Type.String()),
      logoUrl: nullable(Type.String()),
    }),
    team: Type.Object({ id: Type.String(), name: Type.String() }),
    scopes: Type.Array(Type.String(), { description: 'The requested scopes that the application may have' }),
    newScopes: Type.Array(Type.String(), { description: 'Those that the user has not allowed yet' }),
    redirectUri: Type.String(),
    consentRequired: Type.Boolean({ description: 'The user must consent' }),
    secondFactorRequired: Type.Boolean({
      description: 'A policy of the team requires MFA: `POST /auth/reauthenticate` with a code or a passkey',
    }),
    loginRequired: Type.Boolean({ description: 'The application requires a sign-in that is newer than its request' }),
    isAiAgent: Type.Boolean(),
    scopeDetails: Type.Array(Type.Object({ name: Type.String(), description: nullable(Type.String()) }), {
      description: "The team's descriptions of the scopes",
    }),
    device: nullable(
      Type.Object(
        {
          ipAddress: nullable(Type.String()),
          country: nullable(Type.String({ description: 'ISO 3166 code, if the IP address is known' })),
          userAgent: nullable(Type.String()),
          requestedAt: timestamp(),
        },
        { description: 'The device that shows the code' },
      ),
    ),
  },
  { $id: 'Interaction' },
)

export const presentInteraction = ({ interaction, team, device, ...view }: InteractionView) => {
  const { id, name, description, logoUrl, isAiAgent } = interaction.application
  return {
    ...view,
    uid: interaction.uid,
    application: { id, name, description, logoUrl },
    team: { id: team.id, name: team.name },
    isAiAgent,
    device: device && { ...device, requestedAt: device.requestedAt.toISOString() },
  }
}
