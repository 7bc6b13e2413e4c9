import { answerOf, inTeam, member } from '../../../api/client'
import type { TryTokenRequest } from '../../../api/contract'
import { Problem } from '../../../api/problem'
import type { Exchange } from './exchange'

export interface Answer {
  status: number
  body: unknown
}

/** The environment of a run, which tests replace. */
export interface World {
  /** calls the token endpoint via the service, which authenticates as the application */
  tokenEndpoint(request: TryTokenRequest): Promise<Answer>
  /** sends a request of the application, without the session of the user */
  send(request: Exchange['request']): Promise<Answer>
  /** seconds since 1970 */
  now(): number
}

async function send({ method, url, headers, body }: Exchange['request']): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers,
    credentials: 'omit',
    ...(body && { body: 'form' in body ? new URLSearchParams(body.form) : JSON.stringify(body.json) }),
  }).catch(() => {
    throw new Problem({ code: 'unreachable' })
  })
  const text = await answer.text()
  try {
    return { status: answer.status, body: JSON.parse(text) }
  } catch {
    return { status: answer.status, body: text }
  }
}

export function realWorld(teamId: string, appId: string): World {
  return {
    tokenEndpoint: (body) =>
      answerOf(
        member.POST('/api/v1/applications/{appId}/try/token', { ...inTeam(teamId), params: { path: { appId } }, body }),
      ),
    send,
    now: () => Math.floor(Date.now() / 1000),
  }
}
