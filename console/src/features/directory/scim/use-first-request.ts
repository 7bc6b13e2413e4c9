import { useEffect, useState } from 'react'
import type { ScimRequest, ScimToken } from '../../../api/contract'
import m from '../../../messages/en/scim.json'
import { announce } from '../../../ui/document/announcer'
import { useCurrentTeam } from '../../organizations/current-team'
import { awaitedToken, firstRequestBy } from './awaited-token'
import { refreshScim } from './queries'

export interface FirstRequestState {
  /** the token whose first request is awaited */
  waiting: ScimToken | undefined
  /** the first request with the token that was awaited */
  request: ScimRequest | undefined
  /** what the first request shows */
  title: string | undefined
}

/** Waits for the first request with a new token, and announces it. */
export function useFirstRequest(tokens: ScimToken[], requests: ScimRequest[]): FirstRequestState {
  const { team } = useCurrentTeam()
  const waiting = awaitedToken(tokens, requests)
  const [watched, setWatched] = useState(waiting)
  if (waiting && waiting.id !== watched?.id) setWatched(waiting)
  // A token that was revoked meanwhile connects nothing.
  const used = waiting ? undefined : tokens.find(({ id, status }) => id === watched?.id && status === 'active')
  const request = used && firstRequestBy(used.id, requests)
  const name = used?.name ?? ''
  const title = request && (request.status >= 400 ? m.firstRejected({ name }) : m.connected({ name }))
  useEffect(() => {
    if (!title) return
    announce(title)
    // Loads the last use of the token and the number of users. The queries show an error.
    refreshScim(team.id).catch(() => {})
  }, [title, team.id])
  return { waiting, request, title }
}
