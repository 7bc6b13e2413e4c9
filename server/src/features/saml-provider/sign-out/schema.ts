import Type from 'typebox'
import { Message, RelayState, signature } from '../model/message-schema.js'

export const SloQuery = Type.Object({
  SAMLRequest: Message,
  SAMLResponse: Message,
  RelayState,
  ...signature,
  resume: Type.Optional(Type.String({ description: 'ID of a pending sign-out to continue' })),
})
export const SloForm = Type.Object({ SAMLRequest: Message, SAMLResponse: Message, RelayState })
