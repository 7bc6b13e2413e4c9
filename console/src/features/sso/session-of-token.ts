import { answerOf, visitor } from '../../api/client'
import type { OpenSession } from '../../api/contract'

/** Returns a session with the lifetime of an access token, for browsers that keep no cookies of the service. @throws Problem */
export async function sessionOfToken(accessToken: string): Promise<OpenSession> {
  const { user, team, mfa, mustChangePassword } = await answerOf(
    visitor.GET('/api/v1/auth/me', { headers: { Authorization: `Bearer ${accessToken}` } }),
  )
  return { accessToken, expiresIn: secondsLeft(accessToken), user, team, mfa, mustChangePassword }
}

/** Returns the lifetime of a token from its claims; five minutes if they can't be read. */
function secondsLeft(token: string): number {
  try {
    const [, body = ''] = token.split('.')
    const { exp, iat } = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/'))) as {
      exp: number
      iat: number
    }
    return exp - iat
  } catch {
    return 300
  }
}
