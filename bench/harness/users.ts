import { type Exchange, requestBytes, runLoad, times } from './http-load.js'
import type { RunningService } from './service.js'

export const PASSWORD = 'correct horse battery staple'

export interface BenchUser {
  email: string
  id: string
  accessToken: string
  refreshToken: string
}

interface SessionBody {
  accessToken: string
  refreshToken: string
  user: { id: string }
}

let last = 0
export const newEmail = (): string => `user-${++last}@example.com`

export const registration = (email: string): Buffer =>
  requestBytes({ method: 'POST', path: '/api/v1/auth/register', body: { email, password: PASSWORD } })

export const signIn = (email: string, password = PASSWORD): Buffer =>
  requestBytes({ method: 'POST', path: '/api/v1/auth/login', body: { email, password } })

export const refreshing = (user: BenchUser): Buffer =>
  requestBytes({ method: 'POST', path: '/api/v1/auth/refresh', body: { refreshToken: user.refreshToken } })

/** Registers accounts, each with its own team and session, and waits until their jobs are complete. */
export async function registerUsers(service: RunningService, count: number): Promise<BenchUser[]> {
  const users: BenchUser[] = []
  const next = (): Exchange => {
    const email = newEmail()
    const onBody = (text: string) => {
      const { user, accessToken, refreshToken } = JSON.parse(text) as SessionBody
      users.push({ email, id: user.id, accessToken, refreshToken })
    }
    return { request: registration(email), status: 201, onBody }
  }
  await runLoad(service.port, 8, times(count, next))
  await service.drain()
  // The query plans must not depend on whether autovacuum has already run.
  await service.sql('ANALYZE')
  return users
}

/** Cycles through the items. With many more users than connections, no two concurrent requests use the same user. */
export function walk<T>(items: T[]): () => T {
  let index = 0
  return () => items[index++ % items.length] as T
}

/** Returns an exchange that refreshes the user's tokens and stores the new ones in `user`. */
export const refreshExchange = (user: BenchUser): Exchange => ({
  request: refreshing(user),
  status: 200,
  onBody: (text) => {
    const { accessToken, refreshToken } = JSON.parse(text) as SessionBody
    Object.assign(user, { accessToken, refreshToken })
  },
})

/** Refreshes all sessions: access tokens expire after 15 minutes, and a run can take longer. */
export async function renewSessions(service: RunningService, users: BenchUser[]): Promise<void> {
  const next = walk(users)
  await runLoad(
    service.port,
    8,
    times(users.length, () => refreshExchange(next())),
  )
  await service.drain()
}
