import { Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ScimRequest, ScimToken } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { More } from '../../../ui/more'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import { scimWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { awaitedToken, firstRequestBy } from './first-contact'
import styles from './first-contact.module.css'
import { refreshScim } from './queries'
import { RefusalWords } from './request-error'

/** Between the making of a token and its first request: waits for it, and lights up when it has come. */
export function FirstContactPanel({ tokens, requests }: { tokens: ScimToken[]; requests: ScimRequest[] }) {
  const { team } = useCurrentTeam()
  const waiting = awaitedToken(tokens, requests)
  const [watched, setWatched] = useState(waiting)
  if (waiting && waiting.id !== watched?.id) setWatched(waiting)
  // One that was revoked meanwhile connects nothing any more.
  const used = waiting ? undefined : tokens.find(({ id, status }) => id === watched?.id && status === 'active')
  const first = used && firstRequestBy(used.id, requests)
  const title = first && titleOf(used.name, first)

  useEffect(() => {
    if (!title) return
    announce(title)
    // That it was used, and what it has written; what fails is said by the page.
    refreshScim(team.id).catch(() => {})
  }, [title, team.id])

  if (!waiting && !title) return null
  return (
    <Panel title={words.contact}>
      {waiting && <Waiting name={waiting.name} />}
      {first && title && <Came title={title} first={first} />}
    </Panel>
  )
}

const isRefused = ({ status }: ScimRequest) => status >= 400

const titleOf = (name: string, first: ScimRequest) =>
  isRefused(first) ? words.cameRefusedTitle(name) : words.cameTitle(name)

function Waiting({ name }: { name: string }) {
  return (
    <div className={stack.fields}>
      <Notice kind="info" title={words.waiting(name)}>
        <p className={styles.wait}>
          <Loader size={18} aria-hidden="true" className={styles.turning as string} />
          {words.waitingText}
        </p>
      </Notice>
      <More summary={words.waitingHelp}>
        <ul className={stack.bullets}>
          {words.waitingReasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </More>
    </div>
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
        , <RelativeTime at={first.createdAt} />
      </p>
      <RefusalWords request={first} />
    </Notice>
  )
}
