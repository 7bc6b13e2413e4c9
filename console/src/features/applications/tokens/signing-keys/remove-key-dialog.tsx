import { Checkbox } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { SigningKey } from '../../../../api/contract'
import m from '../../../../messages/en/tokens.json'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog'

interface Props {
  opened: boolean
  signingKey: SigningKey
  remove: (immediately: boolean) => void
  close: () => void
}

/** Retires a key, so that its tokens expire, or unpublishes it at once, so that its tokens are rejected. */
export function RemoveKeyDialog({ opened, signingKey: { kid, retiredAt }, remove, close }: Props) {
  const [leaked, setLeaked] = useState(false)
  // A retired key can only be unpublished.
  const immediately = leaked || Boolean(retiredAt)
  useEffect(() => {
    if (opened) setLeaked(false)
  }, [opened])
  return (
    <ConfirmDialog
      opened={opened}
      title={m.keyRemoveTitle({ kid })}
      text={immediately ? m.keyLeakedAbout() : m.keyRemoveText()}
      verb={immediately ? m.keyUnpublish() : m.keyRemove()}
      act={async () => remove(immediately)}
      close={close}
    >
      {!retiredAt && (
        <Checkbox checked={leaked} onChange={(event) => setLeaked(event.target.checked)} label={m.keyLeaked()} />
      )}
    </ConfirmDialog>
  )
}
