import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { SamlKey } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/saml-keys.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import { Icon } from '../../../ui/icons/icon'
import stack from '../../../ui/layout/stack.module.css'
import { More } from '../../../ui/page/more'
import { RelativeTime } from '../../../ui/values/relative-time'
import type { Guarded } from '../../account/security/use-reauthentication'
import { CertificateBlock } from './certificate-block'
import styles from './key-row.module.css'
import { activateKey, type KeyOwner, removeKey, samlKeysQuery } from './queries'

const looks = {
  active: { color: 'green', icon: 'check' },
  next: { color: 'blue', icon: 'circle' },
  retired: { color: 'yellow', icon: 'lock' },
} as const

type Action = 'activate' | 'remove'

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
  const [asking, setAsking] = useState<Action | null>(null)
  const look = looks[state]
  const short = fingerprint.slice(0, 16)
  const small = { variant: 'default', size: 'compact-md', mih: 32, fz: 'sm' } as const

  const write = useWrite({
    act: (action: Action) => guarded<unknown>(() => (action === 'activate' ? activateKey : removeKey)(owner, id)),
    refresh: [samlKeysQuery(owner).queryKey],
    done: (_, action) => (action === 'activate' ? m.activated() : m.removed()),
  })
  const busy = write.isPending

  // The dialog closes first, because another dialog may ask for the password.
  const act = async () => {
    const chosen = asking
    setAsking(null)
    if (chosen) write.mutate(chosen)
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
              onClick={() => setAsking('remove')}
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
      <More summary={m.showCertificate()}>
        <CertificateBlock certificate={certificate} file={`certificate-${short}.pem`} />
      </More>
      <ConfirmDialog
        opened={asking !== null}
        title={asking === 'remove' ? m.removeTitle() : m.activateTitle()}
        text={asking === 'remove' ? m.removeText({ state }) : risk}
        verb={asking === 'remove' ? m.remove() : m.activate()}
        gives={asking !== 'remove'}
        act={act}
        close={() => setAsking(null)}
      />
    </li>
  )
}

/** Time before the expiry of a certificate from which the page warns about it. */
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
