import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SamlKey } from '../../api/contract'
import { announce } from '../../design/announcer'
import { CodeBlock } from '../../design/code-block'
import { ConfirmDialog } from '../../design/confirm-dialog'
import { ProblemMessage } from '../../design/form/problem-message'
import { Icon } from '../../design/icons/icon'
import { LoadError } from '../../design/load-error'
import { Moment } from '../../design/moment'
import { More } from '../../design/more'
import { Notice } from '../../design/notice'
import { Panel } from '../../design/panel'
import { RowsLoading } from '../../design/rows-loading'
import stack from '../../design/stack.module.css'
import { samlWords as words } from '../../words'
import { useCurrentApplication } from '../applications/current-application'
import { ReauthenticateDialog } from '../credentials/reauthenticate-dialog'
import { type Guarded, useReauthentication } from '../credentials/use-reauthentication'
import { useAttempt } from '../mfa/use-attempt'
import { useCurrentTeam } from '../organizations/current-team'
import styles from './keys-panel.module.css'
import { activateKey, endKey, prepareKey, samlKeysQuery } from './queries'

/** The keys by which an application knows us, and their exchange. */
export function KeysPanel() {
  const { team, me } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const keys = useQuery(samlKeysQuery(team.id, id))
  const { guarded, dialog } = useReauthentication()
  const { busy, problem, attempt } = useAttempt()
  const mayWrite = me.permissions.includes('applications:write')
  const waits = keys.data?.some(({ state }) => state === 'next')
  const prepare = () =>
    attempt(async () => {
      await guarded(() => prepareKey(team.id, id))
      announce(words.prepared)
    })
  return (
    <Panel
      title={words.keys}
      about={words.keysAbout}
      action={
        mayWrite &&
        keys.data &&
        !waits && (
          <Button variant="default" leftSection={<Icon name="plus" />} loading={busy} onClick={prepare}>
            {words.prepare}
          </Button>
        )
      }
    >
      <div className={stack.fields}>
        <ProblemMessage problem={problem} />
        {keys.isPending && <RowsLoading rows={1} />}
        {keys.isError && <LoadError error={keys.error} retry={() => keys.refetch()} />}
        {waits && (
          <Notice kind="info" title={words.prepared}>
            <p>{words.preparedHint}</p>
          </Notice>
        )}
        <ul className={styles.list}>
          {keys.data?.map((key) => (
            <KeyRow key={key.id} samlKey={key} guarded={guarded} mayWrite={mayWrite} />
          ))}
        </ul>
      </div>
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </Panel>
  )
}

const looks = {
  active: { color: 'green', icon: 'check' },
  next: { color: 'blue', icon: 'circle' },
  retired: { color: 'yellow', icon: 'lock' },
} as const

interface RowProps {
  samlKey: SamlKey
  guarded: Guarded
  mayWrite: boolean
}

function KeyRow({ samlKey, guarded, mayWrite }: RowProps) {
  const { team } = useCurrentTeam()
  const { id: appId } = useCurrentApplication()
  const { id, state, certificate, fingerprint, notAfter, endsAt } = samlKey
  const [asking, setAsking] = useState<'activate' | 'end' | null>(null)
  const { busy, problem, attempt } = useAttempt()
  const look = looks[state]
  const short = fingerprint.slice(0, 16)
  const small = { variant: 'default', size: 'compact-md', mih: 32, fz: 'sm', disabled: busy } as const

  // The dialog closes first: a proof of who asks may be due, which is a dialog of its own.
  const act = async () => {
    const wanted = asking
    setAsking(null)
    attempt(async () => {
      await guarded(() => (wanted === 'activate' ? activateKey : endKey)(team.id, appId, id))
      announce(wanted === 'activate' ? words.activated : words.ended)
    })
  }
  return (
    <li className={styles.key}>
      <div className={styles.head}>
        <p className={styles.name}>
          <code>{short}…</code>
          <Badge color={look.color} leftSection={<Icon name={look.icon} size={14} />}>
            {words[state]}
          </Badge>
          <EndsBadge notAfter={notAfter} />
        </p>
        {mayWrite && state !== 'active' && (
          <div className={stack.row}>
            {state === 'next' && (
              <Button {...small} onClick={() => setAsking('activate')}>
                {words.activate}
              </Button>
            )}
            <Button {...small} aria-label={words.endLabel(short)} onClick={() => setAsking('end')}>
              {words.end}
            </Button>
          </div>
        )}
      </div>
      <p className={`${stack.dimmed} ${stack.small}`}>
        {words.validUntil} {notAfter.slice(0, 10)}
        {endsAt && (
          <>
            {' · '}
            {words.endsAt} <Moment at={endsAt} />
          </>
        )}
      </p>
      <ProblemMessage problem={problem} />
      <More summary={words.showCertificate}>
        <CodeBlock label={words.certificate} code={certificate} wrap />
      </More>
      <ConfirmDialog
        opened={asking !== null}
        title={asking === 'end' ? words.endTitle : words.activateTitle}
        text={asking === 'end' ? words.endText : words.activateText}
        verb={asking === 'end' ? words.end : words.activate}
        gives={asking !== 'end'}
        act={act}
        close={() => setAsking(null)}
      />
    </li>
  )
}

/** So long before its end a certificate is spoken of. */
const soonMs = 30 * 24 * 60 * 60_000

function EndsBadge({ notAfter }: { notAfter: string }) {
  const left = Date.parse(notAfter) - Date.now()
  if (left > soonMs) return null
  return (
    <Badge color={left > 0 ? 'yellow' : 'red'} leftSection={<Icon name="warning" size={14} />}>
      {left > 0 ? words.keyEnds : words.keyEnded}
    </Badge>
  )
}
