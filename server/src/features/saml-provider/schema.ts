import Type from 'typebox'
import type { ParsedServiceProvider } from './parse-metadata.js'
import type { RequestView } from './read-request.js'

const Message = Type.Optional(Type.String({ description: 'Base64; deflated in the redirect binding' }))
const RelayState = Type.Optional(Type.String({ description: 'Goes back as it came; at most 2,048 bytes' }))
const signature = {
  SigAlg: Type.Optional(Type.String()),
  Signature: Type.Optional(Type.String({ description: 'Over the query, where the application has a certificate' })),
}

export const SsoQuery = Type.Object({
  SAMLRequest: Message,
  RelayState,
  ...signature,
  resume: Type.Optional(Type.String({ description: 'Goes on with a request that waited for its person' })),
  returned: Type.Optional(
    Type.String({ description: 'Our page saw the person signed in: they are not sent there again' }),
  ),
})
export const SsoForm = Type.Object({ SAMLRequest: Message, RelayState })
export const SloQuery = Type.Object({
  SAMLRequest: Message,
  SAMLResponse: Message,
  RelayState,
  ...signature,
  resume: Type.Optional(Type.String({ description: 'Goes on with a sign-out that waited for its user' })),
})
export const SloForm = Type.Object({ SAMLRequest: Message, SAMLResponse: Message, RelayState })

export const RequestBody = Type.Object({
  application: Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    logoUrl: Type.Optional(Type.String()),
  }),
  loginRequired: Type.Boolean({ description: 'A sign-in is due that is newer than the request' }),
  secondFactorRequired: Type.Boolean({ description: 'A second factor is due that the session has not proven' }),
  confirmationRequired: Type.Boolean({
    description: 'The team added the caller, who has to join it first: `POST /organizations/{orgId}/confirm`',
  }),
  team: Type.Object({ id: Type.String(), name: Type.String() }),
})

export const presentRequest = ({ application, ...due }: RequestView) => ({
  application: {
    id: application.id,
    name: application.name,
    description: application.description ?? undefined,
    logoUrl: application.logoUrl ?? undefined,
  },
  ...due,
})

export const ParseMetadata = Type.Object({
  url: Type.Optional(Type.String({ maxLength: 2_000, description: 'Where it is fetched: a public address' })),
  xml: Type.Optional(Type.String({ maxLength: 1_000_000 })),
  entityId: Type.Optional(Type.String({ maxLength: 1_024, description: 'Which one, where it has several' })),
})
export const ParsedMetadata = Type.Object({
  samlSpEntityId: Type.String(),
  samlSpAcsUrl: Type.String(),
  samlSpSloUrl: Type.Optional(Type.String()),
  samlSpCertificate: Type.Optional(Type.String({ description: 'PEM' })),
  samlEncryptAssertion: Type.Boolean({ description: 'It has a key of its own for it, to which we can encrypt' }),
  samlNameIdFormat: Type.Optional(Type.String()),
  certificateExpiresAt: Type.Optional(Type.String({ format: 'date-time' })),
  requestedAttributes: Type.Array(
    Type.Object({ name: Type.String(), friendlyName: Type.Optional(Type.String()), isRequired: Type.Boolean() }),
  ),
  warnings: Type.Array(Type.String(), { description: 'What was passed over, or wants a look' }),
})

export const presentParsed = (parsed: ParsedServiceProvider) => ({
  ...parsed,
  certificateExpiresAt: parsed.certificateExpiresAt?.toISOString(),
})
