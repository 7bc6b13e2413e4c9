import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { SamlKey } from '../../../api/contract'
import m from '../../../messages/en/saml-keys.json'
import { announce } from '../../../ui/announcer'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { More } from '../../../ui/more'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import type { Guarded } from '../../credentials/use-reauthentication'
import { useAttempt } from '../../mfa/use-attempt'
import { CertificateBlock } from './certificate-block'
import styles from './key-row.module.css'
import { activateKey, type KeyOwner, removeKey } from './queries'

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

/** One key with its state, certificate and actions. */
export function KeyRow({ samlKey, owner, risk, guarded, mayWrite }: Props) {
  const { id, state, certificate, fingerprint, notAfter, endsAt } = samlKey
  const [asking, setAsking] = useState<'activate' | 'end' | null>(null)
  const { busy, problem, attempt } = useAttempt()
  const look = looks[state]
  const short = fingerprint.slice(0, 16)
  const small = { variant: 'default', size: 'compact-md', mih: 32, fz: 'sm' } as const

  // The dialog closes first, because another dialog may ask for the password.
  const act = async () => {
    const wanted = asking
    setAsking(null)
    attempt(async () => {
      await guarded(() => (wanted === 'activate' ? activateKey : removeKey)(owner, id))
      announce(wanted === 'activate' ? m.activated() : m.removed())
    })
  }
  return (
    <li className={styles.key}>
      <div className={styles.head}>
        <p className={styles.name}>
          <code>{short}…</code>
          <Badge color={look.color} leftSection={<Icon name={look.icon} size={14} />}>
            {m.state({ state })}
          </Badge>
          <EndsBadge notAfter={notAfter} />
        </p>
        {mayWrite && state !== 'active' && (
          <div className={stack.row}>
            {state === 'next' && (
              <Button {...small} loading={busy} onClick={() => setAsking('activate')}>
                {m.activate()}
              </Button>
            )}
            <Button
              {...small}
              disabled={busy}
              aria-label={m.removeLabel({ fingerprint: short })}
              onClick={() => setAsking('end')}
            >
              {m.remove()}
            </Button>
          </div>
        )}
      </div>
      <p className={`${stack.dimmed} ${stack.small}`}>
        {m.validUntil({ day: notAfter.slice(0, 10) })}
        {endsAt && (
          <>
            {' · '}
            {m.endsAt()} <RelativeTime at={endsAt} />
          </>
        )}
      </p>
      <ProblemMessage problem={problem} />
      <More summary={m.showCertificate()}>
        <CertificateBlock certificate={certificate} file={`certificate-${short}.pem`} />
      </More>
      <ConfirmDialog
        opened={asking !== null}
        title={asking === 'end' ? m.removeTitle() : m.activateTitle()}
        text={asking === 'end' ? m.removeText({ state }) : risk}
        verb={asking === 'end' ? m.remove() : m.activate()}
        gives={asking !== 'end'}
        act={act}
        close={() => setAsking(null)}
      />
    </li>
  )
}

/** When the page starts to warn about the expiry of a certificate. */
const soonMs = 30 * 24 * 60 * 60_000

function EndsBadge({ notAfter }: { notAfter: string }) {
  const left = Date.parse(notAfter) - Date.now()
  if (left > soonMs) return null
  return (
    <Badge color={left > 0 ? 'yellow' : 'red'} leftSection={<Icon name="warning" size={14} />}>
      {left > 0 ? m.expiresSoon() : m.expired()}
    </Badge>
  )
}
