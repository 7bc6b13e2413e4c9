import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { SigningKey, SigningKeyChanges } from '../../../../api/contract'
import m from '../../../../messages/en/tokens.json'
import { announce } from '../../../../ui/announcer'
import { ProblemMessage } from '../../../../ui/form/problem-message'
import { Icon } from '../../../../ui/icons/icon'
import { RelativeTime } from '../../../../ui/relative-time'
import stack from '../../../../ui/stack.module.css'
import type { Guarded } from '../../../credentials/use-reauthentication'
import { useAttempt } from '../../../mfa/use-attempt'
import { changeKey, removeKey } from '../calls'
import styles from '../config-row.module.css'
import { useCurrentConfig } from '../current-config'
import { usesOf } from './key-uses'
import { RemoveKeyDialog } from './remove-key-dialog'

/** One key with its uses, dates and actions. */
export function KeyRow({ signingKey, guarded }: { signingKey: SigningKey; guarded: Guarded }) {
  const { at, mayWrite } = useCurrentConfig()
  const { id, kid, algorithm, isDefault, useForAccessTokens, createdAt, retiredAt, publishedUntil } = signingKey
  const [asking, setAsking] = useState(false)
  const { busy, problem, attempt } = useAttempt()

  const change = (changes: SigningKeyChanges) =>
    attempt(async () => {
      await guarded(() => changeKey(at, id, changes))
      announce(m.keyChanged({ kid }))
    })
  const remove = (immediately: boolean) =>
    attempt(async () => {
      await guarded(() => removeKey(at, id, immediately))
      announce(immediately || retiredAt ? m.keyUnpublished({ kid }) : m.keyRetiredNow({ kid }))
    })

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
        <ProblemMessage problem={problem} />
      </div>
      {mayWrite && (
        <div className={stack.row}>
          {!retiredAt && !isDefault && (
            <Button {...small} aria-label={m.makeDefaultLabel({ kid })} onClick={() => change({ isDefault: true })}>
              {m.makeDefault()}
            </Button>
          )}
          {!retiredAt && isDefault && (
            <Button {...small} aria-label={m.stopDefaultLabel({ kid })} onClick={() => change({ isDefault: false })}>
              {m.stopDefault()}
            </Button>
          )}
          {!retiredAt && algorithm === 'ES256' && (useForAccessTokens || !isDefault) && (
            <Button
              {...small}
              aria-label={useForAccessTokens ? m.stopAccessLabel({ kid }) : m.signAccessLabel({ kid })}
              onClick={() => change({ useForAccessTokens: !useForAccessTokens })}
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
        remove={remove}
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
