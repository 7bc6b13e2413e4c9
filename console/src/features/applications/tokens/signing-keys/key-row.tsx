import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { SigningKey, SigningKeyChanges } from '../../../../api/contract'
import m from '../../../../messages/en/tokens.json'
import { Icon } from '../../../../ui/icons/icon'
import stack from '../../../../ui/layout/stack.module.css'
import { RelativeTime } from '../../../../ui/values/relative-time'
import type { Guarded } from '../../../account/security/use-reauthentication'
import { changeKey, removeKey } from '../calls'
import styles from '../config-row.module.css'
import { useCurrentConfig } from '../current-config'
import { useConfigWrite } from '../use-config-write'
import { usesOf } from './key-uses'
import { RemoveKeyDialog } from './remove-key-dialog'

/** One key with its uses, dates and actions. */
export function KeyRow({ signingKey, guarded }: { signingKey: SigningKey; guarded: Guarded }) {
  const { at, mayWrite } = useCurrentConfig()
  const { id, kid, algorithm, isDefault, useForAccessTokens, createdAt, retiredAt, publishedUntil } = signingKey
  const [asking, setAsking] = useState(false)

  const change = useConfigWrite(
    (changes: SigningKeyChanges) => guarded(() => changeKey(at, id, changes)),
    () => m.keyChanged({ kid }),
    false,
  )
  const remove = useConfigWrite(
    (immediately: boolean) => guarded(() => removeKey(at, id, immediately)),
    (immediately) => (immediately || retiredAt ? m.keyUnpublished({ kid }) : m.keyRetiredNow({ kid })),
    false,
  )
  const busy = change.isPending || remove.isPending

  const small = { variant: 'default', size: 'compact-md', mih: 32, fz: 'sm', disabled: busy } as const
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <p className={styles.name}>
          <code>{kid}</code>
          <Badge>{algorithm}</Badge>
          {retiredAt ? (
            <Badge color="yellow" leftSection={<Icon name="lock" size={14} />}>
              {m.keyRetired()}
            </Badge>
          ) : (
            <Uses signingKey={signingKey} />
          )}
        </p>
        <p className={styles.detail}>
          {m.keyCreated()} <RelativeTime at={createdAt} />
          {retiredAt && (
            <>
              {' · '}
              {m.keyRetired()} <RelativeTime at={retiredAt} />
            </>
          )}
          {publishedUntil && (
            <>
              {' · '}
              {m.keyUntil()} <RelativeTime at={publishedUntil} />
            </>
          )}
        </p>
      </div>
      {mayWrite && (
        <div className={stack.row}>
          {!retiredAt && !isDefault && (
            <Button
              {...small}
              aria-label={m.makeDefaultLabel({ kid })}
              onClick={() => change.mutate({ isDefault: true })}
            >
              {m.makeDefault()}
            </Button>
          )}
          {!retiredAt && isDefault && (
            <Button
              {...small}
              aria-label={m.stopDefaultLabel({ kid })}
              onClick={() => change.mutate({ isDefault: false })}
            >
              {m.stopDefault()}
            </Button>
          )}
          {!retiredAt && algorithm === 'ES256' && (useForAccessTokens || !isDefault) && (
            <Button
              {...small}
              aria-label={useForAccessTokens ? m.stopAccessLabel({ kid }) : m.signAccessLabel({ kid })}
              onClick={() => change.mutate({ useForAccessTokens: !useForAccessTokens })}
            >
              {useForAccessTokens ? m.stopAccess() : m.signAccess()}
            </Button>
          )}
          <Button
            {...small}
            aria-label={retiredAt ? m.keyUnpublishLabel({ kid }) : m.removeLabel({ name: kid })}
            onClick={() => setAsking(true)}
          >
            {retiredAt ? m.keyUnpublish() : m.remove()}
          </Button>
        </div>
      )}
      <RemoveKeyDialog
        opened={asking}
        signingKey={signingKey}
        // Runs after this dialog closed, because another dialog may ask for the password.
        remove={remove.mutate}
        close={() => setAsking(false)}
      />
    </li>
  )
}

function Uses({ signingKey }: { signingKey: SigningKey }) {
  const { config } = useCurrentConfig()
  const signs = usesOf(signingKey, config.signingKeys)
  if (signs.length === 0) return <Badge>{m.keyPublished()}</Badge>
  return signs.map((use) => (
    <Badge key={use} color="green" leftSection={<Icon name="check" size={14} />}>
      {m.keyUse({ use })}
    </Badge>
  ))
}
