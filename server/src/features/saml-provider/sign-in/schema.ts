import Type from 'typebox'
import { Message, RelayState, signature } from '../model/message-schema.js'
import type { RequestView } from './read-request.js'

export const SsoQuery = Type.Object({
  SAMLRequest: Message,
  RelayState,
  ...signature,
  resume: Type.Optional(Type.String({ description: 'ID of a pending request to continue' })),
  returned: Type.Optional(
    Type.String({ description: 'Set by the sign-in page after it saw a session, to prevent a redirect loop' }),
  ),
})
export const SsoForm = Type.Object({ SAMLRequest: Message, RelayState })

export const RequestBody = Type.Object({
  application: Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    logoUrl: Type.Optional(Type.String()),
  }),
  loginRequired: Type.Boolean({ description: 'A sign-in that is newer than the request is required' }),
  secondFactorRequired: Type.Boolean({ description: 'A second factor is required that the session lacks' }),
  confirmationRequired: Type.Boolean({
    description: 'The caller must first join the team, which only added them: `POST /organizations/{orgId}/confirm`',
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
