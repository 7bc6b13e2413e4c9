import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { ScimToken } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { Icon, type IconName } from '../../../ui/icons/icon'
import styles from '../../../ui/item-row.module.css'
import { RelativeTime } from '../../../ui/relative-time'
import { relativeTime, scimWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { revokeScimToken } from './queries'

const looks: Record<string, { color: string; icon: IconName }> = {
  active: { color: 'green', icon: 'done' },
  expired: { color: 'gray', icon: 'circle' },
  revoked: { color: 'gray', icon: 'lock' },
  orphaned: { color: 'yellow', icon: 'warning' },
}

/** So long before its end a token is spoken of. */
const soonMs = 30 * 24 * 60 * 60_000

/** One token: how it stands, whose it is, when it was used, and the way to end it. */
export function TokenRow({ token }: { token: ScimToken }) {
  const { team, me } = useCurrentTeam()
  const { id, name, prefix, createdBy, createdAt, lastUsedAt, status } = token
  const [asking, setAsking] = useState(false)
  const use = lastUsedAt ? words.wasUsed(relativeTime(lastUsedAt)) : words.wasNeverUsed
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
          <code>{prefix}…</code>
          <span>
            {createdBy.id === me.user.id ? words.madeByYou : words.madeBy(createdBy.email)}{' '}
            <RelativeTime at={createdAt} />
          </span>
          <span>
            {lastUsedAt ? (
              <>
                {words.lastUsed} <RelativeTime at={lastUsedAt} />
              </>
            ) : (
              words.neverUsed
            )}
          </span>
          {status !== 'revoked' && <End token={token} />}
        </p>
        {status === 'orphaned' && <p className={styles.detail}>{words.orphaned}</p>}
      </div>
      {(status === 'active' || status === 'orphaned') && (
        <Button
          variant="default"
          size="compact-md"
          aria-label={words.revokeLabel(name)}
          onClick={() => setAsking(true)}
        >
          {words.revoke}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        title={words.revokeTitle(name)}
        text={words.revokeText}
        verb={words.revoke}
        act={() => revokeScimToken(team.id, id).then(() => announce(words.revoked(name)))}
        close={() => setAsking(false)}
      >
        <p>
          <strong>{use}</strong>
        </p>
      </ConfirmDialog>
    </li>
  )
}

function End({ token: { expiresAt, status } }: { token: ScimToken }) {
  if (!expiresAt) return <span>{words.endsNever}</span>
  return (
    <span>
      {status === 'expired' ? words.ended : words.ends} <RelativeTime at={expiresAt} />
    </span>
  )
}

function StateBadges({ token: { status, expiresAt } }: { token: ScimToken }) {
  const look = Object.hasOwn(looks, status) ? looks[status] : undefined
  const endsSoon = status === 'active' && expiresAt !== null && Date.parse(expiresAt) - Date.now() < soonMs
  return (
    <>
      <Badge {...(look && { color: look.color, leftSection: <Icon name={look.icon} size={14} /> })}>
        {words.state(status)}
      </Badge>
      {endsSoon && (
        <Badge color="yellow" leftSection={<Icon name="warning" size={14} />}>
          {words.endsSoon}
        </Badge>
      )}
    </>
  )
}
