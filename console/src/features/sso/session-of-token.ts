import { answerOf, visitor } from '../../api/client'
import type { OpenSession } from '../../api/contract'

/** For browsers that keep no cookies of ours: the session of a token that was sent along. It ends when the token does. @throws Problem */
export async function sessionOfToken(accessToken: string): Promise<OpenSession> {
  const { user, team, mfa, mustChangePassword } = await answerOf(
    visitor.GET('/api/v1/auth/me', { headers: { Authorization: `Bearer ${accessToken}` } }),
  )
  return { accessToken, expiresIn: secondsLeft(accessToken), user, team, mfa, mustChangePassword }
}

/** What the token says of itself; without it, as long as a page is looked at. */
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
