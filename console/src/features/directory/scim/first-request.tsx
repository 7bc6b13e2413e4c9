import { Loader } from '@mantine/core'
import m from '../../../messages/en/scim.json'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { More } from '../../../ui/page/more'
import { RelativeTime } from '../../../ui/values/relative-time'
import styles from './first-request.module.css'
import { RequestError } from './request-error'
import type { FirstRequestState } from './use-first-request'

/** The state of the connection: waiting for the first request, or its result. */
export function FirstRequest({ first: { waiting, request, title } }: { first: FirstRequestState }) {
  if (waiting) return <Waiting name={waiting.name} />
  if (!request || !title) return <p className={stack.dimmed}>{m.noTokenYet()}</p>
  return (
    <Notice kind={request.status >= 400 ? 'warning' : 'success'} title={title}>
      <p>
        {m.firstRequest()}{' '}
        <code>
          {request.method} {request.path}
        </code>
        , <RelativeTime at={request.createdAt} />
      </p>
      <RequestError request={request} />
    </Notice>
  )
}

function Waiting({ name }: { name: string }) {
  return (
    <div className={stack.fields}>
      <Notice kind="info" title={m.waiting({ name })}>
        <p className={styles.wait}>
          <Loader size={18} aria-hidden="true" className={styles.loader as string} />
          {m.waitingHelp()}
        </p>
      </Notice>
      <More summary={m.troubleshoot()}>
        <ul className={stack.bullets}>
          {m
            .troubleshootReasons()
            .split('\n')
            .map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
        </ul>
      </More>
    </div>
  )
}
