import Type from 'typebox'

export const optionalText = (description: string) => Type.Optional(Type.String({ description }))

/** The parameters by which a client authenticates in the body (RFC 6749 2.3.1, RFC 7521 4.2). */
export const clientCredentials = {
  client_id: optionalText('Required unless the client authenticates with HTTP Basic or a client assertion'),
  client_secret: optionalText('For client_secret_post'),
  client_assertion: optionalText('RFC 7523'),
  client_assertion_type: optionalText('RFC 7523'),
}
