import { Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ScimRequest, ScimToken } from '../../api/contract'
import { announce } from '../../design/announcer'
import { Moment } from '../../design/moment'
import { More } from '../../design/more'
import { Notice } from '../../design/notice'
import { Panel } from '../../design/panel'
import stack from '../../design/stack.module.css'
import { scimWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { awaitedToken, firstRequestBy } from './first-contact'
import { refreshScim } from './queries'
import { RefusalWords } from './refusal-words'

/** Between the making of a token and its first request: waits for it, and lights up when it has come. */
export function FirstContactPanel({ tokens, requests }: { tokens: ScimToken[]; requests: ScimRequest[] }) {
  const { team } = useCurrentTeam()
  const waiting = awaitedToken(tokens, requests)
  const [watched, setWatched] = useState(waiting)
  if (waiting && waiting.id !== watched?.id) setWatched(waiting)
  const first = watched && !waiting ? firstRequestBy(watched.id, requests) : undefined
  const title = first && watched && titleOf(watched.name, first)

  useEffect(() => {
    if (!title) return
    announce(title)
    // That it was used, and what it has written; what fails is said by the page.
    refreshScim(team.id).catch(() => {})
  }, [title, team.id])

  if (waiting) return <Waiting name={waiting.name} />
  if (!first || !title) return null
  return <Came title={title} first={first} />
}

const isRefused = ({ status }: ScimRequest) => status >= 400

const titleOf = (name: string, first: ScimRequest) =>
  isRefused(first) ? words.cameRefusedTitle(name) : words.cameTitle(name)

function Waiting({ name }: { name: string }) {
  const title = words.waiting(name)
  return (
    <Panel title={title} about={words.waitingText} action={<Loader size="sm" aria-hidden="true" />}>
      <More summary={words.waitingHelp}>
        <ul className={stack.bullets}>
          {words.waitingReasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </More>
    </Panel>
  )
}

function Came({ title, first }: { title: string; first: ScimRequest }) {
  return (
    <Notice kind={isRefused(first) ? 'warning' : 'success'} title={title}>
      <p>
        {words.cameText}{' '}
        <code>
          {first.method} {first.path}
        </code>
        , <Moment at={first.createdAt} />
      </p>
      <RefusalWords request={first} />
    </Notice>
  )
}
