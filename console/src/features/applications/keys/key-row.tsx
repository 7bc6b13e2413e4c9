import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { SamlKey } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { More } from '../../../ui/more'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import { samlKeyWords as words } from '../../../words'
import type { Guarded } from '../../credentials/use-reauthentication'
import { useAttempt } from '../../mfa/use-attempt'
import { CertificateBlock } from './certificate-block'
import styles from './key-row.module.css'
import { activateKey, endKey, type KeyOwner } from './queries'

const looks = {
  active: { color: 'green', icon: 'check' },
  next: { color: 'blue', icon: 'circle' },
  retired: { color: 'yellow', icon: 'lock' },
} as const

interface Props {
  samlKey: SamlKey
  owner: KeyOwner
  risk: string
  guarded: Guarded
  mayWrite: boolean
}

/** One key: how it stands, its certificate, and what can be done with it. */
export function KeyRow({ samlKey, owner, risk, guarded, mayWrite }: Props) {
  const { id, state, certificate, fingerprint, notAfter, endsAt } = samlKey
  const [asking, setAsking] = useState<'activate' | 'end' | null>(null)
  const { busy, problem, attempt } = useAttempt()
  const look = looks[state]
  const short = fingerprint.slice(0, 16)
  const small = { variant: 'default', size: 'compact-md', mih: 32, fz: 'sm' } as const

  // The dialog closes first: a proof of who asks may be due, which is a dialog of its own.
  const act = async () => {
    const wanted = asking
    setAsking(null)
    attempt(async () => {
      await guarded(() => (wanted === 'activate' ? activateKey : endKey)(owner, id))
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
              <Button {...small} loading={busy} onClick={() => setAsking('activate')}>
                {words.activate}
              </Button>
            )}
            <Button {...small} disabled={busy} aria-label={words.endLabel(short)} onClick={() => setAsking('end')}>
              {words.end}
            </Button>
          </div>
        )}
      </div>
      <p className={`${stack.dimmed} ${stack.small}`}>
        {words.validUntil(notAfter.slice(0, 10))}
        {endsAt && (
          <>
            {' · '}
            {words.endsAt} <RelativeTime at={endsAt} />
          </>
        )}
      </p>
      <ProblemMessage problem={problem} />
      <More summary={words.showCertificate}>
        <CertificateBlock certificate={certificate} file={`certificate-${short}.pem`} />
      </More>
      <ConfirmDialog
        opened={asking !== null}
        title={asking === 'end' ? words.endTitle : words.activateTitle}
        text={asking === 'end' ? words.endText[state === 'next' ? 'next' : 'retired'] : risk}
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
