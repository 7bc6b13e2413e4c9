import Type from 'typebox'
import { SINGLE_LINE_OR_BLANK } from '../../platform/single-line.js'

export const Email = Type.String({
  maxLength: 320,
  description: 'Case and surrounding white space are ignored',
})
/** The use case verifies the password policy and reports each violation. The length here only limits the work. */
export const NewPassword = Type.String({
  maxLength: 2_048,
  description: '8 to 256 characters (code points after NFKC)',
})
export const Password = Type.String({ maxLength: 2_048 })
export const Token = Type.String({ maxLength: 512 })
export const Name = Type.String({ maxLength: 100, pattern: SINGLE_LINE_OR_BLANK })
export const remember = Type.Optional(
  Type.Boolean({ description: 'Cookie mode: whether the cookies outlive the browser; default true' }),
)
export const EmailBody = Type.Object({ email: Email })
export const TokenBody = Type.Object({ token: Token })
export const Message = Type.Object({ message: Type.String() })
