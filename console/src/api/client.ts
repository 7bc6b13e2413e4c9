import { problemOf, sessionEnded, unreachable } from './problem'
import { consoleHeaders, session } from './session'
import { signedInAgain } from './sign-in-again'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface CallOptions {
  body?: unknown
  /** the team of the page's URL, which may be another than the session's */
  teamId?: string
  headers?: Record<string, string>
}

function send(method: Method, path: string, options: CallOptions, token?: string) {
  const headers: Record<string, string> = { ...consoleHeaders, ...options.headers }
  if (token) headers.Authorization = `Bearer ${token}`
  if (options.teamId) headers['x-org-id'] = options.teamId
  const init: RequestInit = { method, headers }
  if (options.body !== undefined) {
    headers['Content-Type'] = 'application/json'
    init.body = JSON.stringify(options.body)
  }
  return fetch(`/api/v1${path}`, init).catch(() => {
    throw unreachable()
  })
}

async function read<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw await problemOf(answer)
  return (answer.status === 204 ? undefined : await answer.json()) as T
}

/** A call that needs nobody signed in. Throws `Problem`. */
export async function callAsVisitor<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  return read<T>(await send(method, path, options))
}

/** A call of whoever is signed in: renews the token once when it is refused, then asks to sign in again. Throws `Problem`. */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  let bearer = await session.bearer()
  if (typeof bearer === 'object') {
    const answer = await send(method, path, options, bearer.token)
    if (answer.status !== 401) return read<T>(answer)
    bearer = await session.renewed(bearer.token)
    if (typeof bearer === 'object') {
      const second = await send(method, path, options, bearer.token)
      if (second.status !== 401) return read<T>(second)
      bearer = 'ended'
    }
  }
  if (bearer === 'unavailable') throw unreachable()
  if (!(await signedInAgain())) throw sessionEnded()
  return call<T>(method, path, options)
}
