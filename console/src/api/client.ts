import createClient from 'openapi-fetch'
import { whenBackOnline } from './connectivity'
import { enrollmentDue } from './enrollment-due'
import type { Issuer } from './issuer'
import { problemOf, sessionEnded, unreachable } from './problem'
import type { paths } from './schema.gen'
import { serviceAddress } from './service-address'
import { consoleHeaders, session } from './session'
import { signedInAgain } from './sign-in-again'

async function send(request: Request, token?: string): Promise<Response> {
  if (token) request.headers.set('Authorization', `Bearer ${token}`)
  return fetch(request).catch(() => {
    void whenBackOnline()
    throw unreachable()
  })
}

async function refused(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  const problem = await problemOf(answer)
  if (problem.code === 'mfa_enrollment_required') enrollmentDue()
  throw problem
}

/** Renews a rejected token once, then requests a new sign-in. The body of a request can be sent once, so copies are sent. */
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

// Sends cookies, also if the console has another origin of the same site.
const options = { baseUrl: serviceAddress(), headers: consoleHeaders, credentials: 'include' } as const

/** Calls without a session. They throw `Problem`. */
export const visitor = createClient<paths>({
  ...options,
  fetch: (request) => send(request).then(refused),
})

/** Calls with the user's session. They throw `Problem`. */
export const member = createClient<paths>({ ...options, fetch: sendAsMember })

/**
 * A call below an issuer, whose URL is known at run time only.
 * @param path below the issuer, such as `/interaction/…`
 * @param body sent as JSON with POST; GET without one
 * @throws Problem
 */
export async function askIssuer<Answer>(issuer: Issuer, path: string, body?: unknown): Promise<Answer> {
  const request =
    body === undefined
      ? new Request(issuer + path, { headers: consoleHeaders, credentials: 'include' })
      : new Request(issuer + path, {
          method: 'POST',
          credentials: 'include',
          headers: { ...consoleHeaders, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
  return (await sendAsMember(request)).json() as Promise<Answer>
}

/** For calls in the team of the URL, which may differ from the session's team. */
export function inTeam(teamId: string) {
  return { headers: { 'x-org-id': teamId } }
}

/** Returns the body of a response. Errors have been thrown before. */
export async function answerOf<Answer>(call: Promise<{ data?: Answer }>): Promise<Answer> {
  return (await call).data as Answer
}
