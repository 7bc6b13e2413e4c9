import Type from 'typebox'

export const Message = Type.Optional(Type.String({ description: 'Base64; deflated in the redirect binding' }))
export const RelayState = Type.Optional(Type.String({ description: 'Returned unchanged; at most 2,048 bytes' }))
export const signature = {
  SigAlg: Type.Optional(Type.String()),
  Signature: Type.Optional(
    Type.String({ description: 'Signature of the query, required if the application has a certificate' }),
  ),
}
