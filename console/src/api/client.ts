import createClient from 'openapi-fetch'
import { problemOf, sessionEnded, unreachable } from './problem'
import type { paths } from './schema.gen'
import { consoleHeaders, session } from './session'
import { signedInAgain } from './sign-in-again'

async function send(request: Request, token?: string): Promise<Response> {
  if (token) request.headers.set('Authorization', `Bearer ${token}`)
  return fetch(request).catch(() => {
    throw unreachable()
  })
}

async function refused(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  throw await problemOf(answer)
}

/** Renews the token once when it is refused, then asks to sign in again. A request's body can be sent once, so copies go. */
async function sendAsMember(request: Request): Promise<Response> {
  let bearer = await session.bearer()
  if (typeof bearer === 'object') {
    const answer = await send(request.clone(), bearer.token)
    if (answer.status !== 401) return refused(answer)
    bearer = await session.renewed(bearer.token)
    if (typeof bearer === 'object') {
      const second = await send(request.clone(), bearer.token)
      if (second.status !== 401) return refused(second)
      bearer = 'ended'
    }
  }
  if (bearer === 'unavailable') throw unreachable()
  if (!(await signedInAgain())) throw sessionEnded()
  return sendAsMember(request)
}

const options = { baseUrl: location.origin, headers: consoleHeaders }

/** Calls that need nobody signed in. They throw `Problem`. */
export const visitor = createClient<paths>({ ...options, fetch: (request) => send(request).then(refused) })

/** Calls of whoever is signed in. They throw `Problem`. */
export const member = createClient<paths>({ ...options, fetch: sendAsMember })

/** For calls in the team of the page's URL, which may be another than the session's. */
export function inTeam(teamId: string) {
  return { headers: { 'x-org-id': teamId } }
}

/** The answer of a call. Refusals have been thrown before, so there always is one. */
export async function answerOf<Answer>(call: Promise<{ data?: Answer }>): Promise<Answer> {
  return (await call).data as Answer
}
