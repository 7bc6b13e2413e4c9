import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { SigningKey, SigningKeyChanges } from '../../../../api/contract'
import { announce } from '../../../../ui/announcer'
import { ProblemMessage } from '../../../../ui/form/problem-message'
import { Icon } from '../../../../ui/icons/icon'
import { RelativeTime } from '../../../../ui/relative-time'
import stack from '../../../../ui/stack.module.css'
import { tokenWords as words } from '../../../../words'
import type { Guarded } from '../../../credentials/use-reauthentication'
import { useAttempt } from '../../../mfa/use-attempt'
import { changeKey, removeKey } from '../calls'
import styles from '../config-row.module.css'
import { useCurrentConfig } from '../current-config'
import { usesOf } from './key-uses'
import { RemoveKeyDialog } from './remove-key-dialog'

/** One key: what it signs, since when, and what can be done about it. */
export function KeyRow({ signingKey, guarded }: { signingKey: SigningKey; guarded: Guarded }) {
  const { at, mayWrite } = useCurrentConfig()
  const { id, kid, algorithm, isDefault, useForAccessTokens, createdAt, retiredAt, publishedUntil } = signingKey
  const [asking, setAsking] = useState(false)
  const { busy, problem, attempt } = useAttempt()

  const change = (changes: SigningKeyChanges) =>
    attempt(async () => {
      await guarded(() => changeKey(at, id, changes))
      announce(words.keyChanged(kid))
    })
  const remove = (immediately: boolean) =>
    attempt(async () => {
      await guarded(() => removeKey(at, id, immediately))
      announce(immediately || retiredAt ? words.keyRemovedNow(kid) : words.keyRetiredNow(kid))
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
              {words.keyRetired}
            </Badge>
          ) : (
            <Uses signingKey={signingKey} />
          )}
        </p>
        <p className={styles.detail}>
          {words.keyMade} <RelativeTime at={createdAt} />
          {retiredAt && (
            <>
              {' · '}
              {words.keyRetiredSince} <RelativeTime at={retiredAt} />
            </>
          )}
          {publishedUntil && (
            <>
              {' · '}
              {words.keyUntil} <RelativeTime at={publishedUntil} />
            </>
          )}
        </p>
        <ProblemMessage problem={problem} />
      </div>
      {mayWrite && (
        <div className={stack.row}>
          {!retiredAt && !isDefault && (
            <Button {...small} aria-label={words.makeDefaultLabel(kid)} onClick={() => change({ isDefault: true })}>
              {words.makeDefault}
            </Button>
          )}
          {!retiredAt && isDefault && (
            <Button {...small} aria-label={words.stopDefaultLabel(kid)} onClick={() => change({ isDefault: false })}>
              {words.stopDefault}
            </Button>
          )}
          {!retiredAt && algorithm === 'ES256' && (useForAccessTokens || !isDefault) && (
            <Button
              {...small}
              aria-label={useForAccessTokens ? words.stopAccessLabel(kid) : words.signAccessLabel(kid)}
              onClick={() => change({ useForAccessTokens: !useForAccessTokens })}
            >
              {useForAccessTokens ? words.stopAccess : words.signAccess}
            </Button>
          )}
          <Button
            {...small}
            aria-label={retiredAt ? words.takeOutLabel(kid) : words.removeLabel(kid)}
            onClick={() => setAsking(true)}
          >
            {retiredAt ? words.takeOut : words.remove}
          </Button>
        </div>
      )}
      <RemoveKeyDialog
        opened={asking}
        signingKey={signingKey}
        // Goes on without the dialog: it may need a proof of who asks, which is a dialog of its own.
        remove={remove}
        close={() => setAsking(false)}
      />
    </li>
  )
}

function Uses({ signingKey }: { signingKey: SigningKey }) {
  const { config } = useCurrentConfig()
  const signs = usesOf(signingKey, config.signingKeys)
  if (signs.length === 0) return <Badge>{words.keyPublished}</Badge>
  return signs.map((use) => (
    <Badge key={use} color="green" leftSection={<Icon name="check" size={14} />}>
      {words.keyUses[use]}
    </Badge>
  ))
}
