import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ScimToken } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/scim.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import { Icon } from '../../../ui/icons/icon'
import styles from '../../../ui/page/item-row.module.css'
import { RelativeTime } from '../../../ui/values/relative-time'
import { StatusBadge, type Tone } from '../../../ui/values/status-badge'
import { relativeTime } from '../../../ui/values/time'
import { useCurrentTeam } from '../../organizations/current-team'
import { revokeScimToken, scimTokensQuery } from './queries'

const TONES: Record<string, Tone> = { active: 'ok', orphaned: 'warn' }

/** A badge announces the expiry this long before. */
const SOON_MS = 30 * 24 * 60 * 60_000

/** One token: its state, creator and last use, and its revocation. */
export function TokenRow({ token }: { token: ScimToken }) {
  const { team, me } = useCurrentTeam()
  const { id, name, prefix, createdBy, createdAt, lastUsedAt, status } = token
  const [asking, setAsking] = useState(false)
  const revoke = useWrite({
    act: () => revokeScimToken(team.id, id),
    refresh: [scimTokensQuery(team.id).queryKey],
    done: () => m.revoked({ name }),
    showsError: true,
  })
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name="key" />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>
          {name}
          <StateBadges token={token} />
        </p>
        <p className={styles.detail}>
          <span>
            <code>{prefix}…</code>
          </span>
          <span>
            {createdBy.id === me.user.id ? m.createdByYou() : m.createdBy({ email: createdBy.email })}{' '}
            <RelativeTime at={createdAt} />
          </span>
          <span>
            {lastUsedAt ? (
              <>
                {m.lastUsed()} <RelativeTime at={lastUsedAt} />
              </>
            ) : (
              m.neverUsed()
            )}
          </span>
          {status !== 'revoked' && <Expiry token={token} />}
        </p>
        {status === 'orphaned' && (
          <p className={styles.detail}>
            <span>{m.orphaned()}</span>
          </p>
        )}
      </div>
      {(status === 'active' || status === 'orphaned') && (
        <Button
          variant="default"
          size="compact-md"
          aria-label={m.revokeLabel({ name })}
          onClick={() => setAsking(true)}
        >
          {m.revoke()}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        title={m.revokeTitle({ name })}
        text={m.revokeText()}
        verb={m.revoke()}
        act={() => revoke.mutateAsync()}
        close={() => setAsking(false)}
      >
        <p>
          <strong>{lastUsedAt ? m.lastUsedAt({ time: relativeTime(lastUsedAt) }) : m.neverUsed()}</strong>
        </p>
      </ConfirmDialog>
    </li>
  )
}

function Expiry({ token: { expiresAt, status } }: { token: ScimToken }) {
  if (!expiresAt) return <span>{m.noExpiry()}</span>
  return (
    <span>
      {status === 'expired' ? m.expired() : m.expires()} <RelativeTime at={expiresAt} />
    </span>
  )
}

function StateBadges({ token: { status, expiresAt } }: { token: ScimToken }) {
  const expiresSoon = status === 'active' && expiresAt !== null && Date.parse(expiresAt) - Date.now() < SOON_MS
  return (
    <>
      <StatusBadge tone={TONES[status] ?? 'neutral'}>{m.state({ status })}</StatusBadge>
      {expiresSoon && <StatusBadge tone="warn">{m.expiresSoon()}</StatusBadge>}
    </>
  )
}
