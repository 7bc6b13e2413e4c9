import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Factor } from '../../../../api/contract'
import m from '../../../../messages/en/factors.json'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog'
import { Icon, type IconName } from '../../../../ui/icons/icon'
import stack from '../../../../ui/layout/stack.module.css'
import styles from '../../../../ui/page/item-row.module.css'
import { RelativeTime } from '../../../../ui/values/relative-time'
import { RenameDialog } from './rename-dialog'

interface Props {
  factor: Factor
  icon: IconName
  /** details of the method */
  details?: ReactNode
  /** the methods that remain after its removal */
  left: string
  /** true while the method is being removed */
  removing: boolean
  rename: (name: string) => void
  remove: () => void
}

/** A passkey or an authenticator app. */
export function FactorRow({ factor, icon, details, left, removing, rename, remove }: Props) {
  const { name, createdAt, lastUsedAt } = factor
  const [asking, setAsking] = useState<'rename' | 'remove' | null>(null)
  const close = () => setAsking(null)
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>{name}</p>
        <p className={styles.detail}>
          {details}
          <span>
            {m.created()} <RelativeTime at={createdAt} />
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
        </p>
      </div>
      <div className={stack.row}>
        <Button variant="default" aria-label={m.renameOf({ name })} onClick={() => setAsking('rename')}>
          {m.rename()}
        </Button>
        <Button
          variant="default"
          loading={removing}
          aria-label={m.removeOf({ name })}
          onClick={() => setAsking('remove')}
        >
          {m.remove()}
        </Button>
      </div>
      {asking === 'rename' && <RenameDialog name={name} rename={rename} close={close} />}
      <ConfirmDialog
        opened={asking === 'remove'}
        title={m.removeTitle({ name })}
        text={left}
        verb={m.remove()}
        // Closes the dialog first: the action may open the reauthentication dialog.
        act={async () => remove()}
        close={close}
      />
    </li>
  )
}
