import { Checkbox } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { SigningKey } from '../../../../api/contract'
import { ConfirmDialog } from '../../../../ui/confirm-dialog'
import { tokenWords as words } from '../../../../words'

interface Props {
  opened: boolean
  signingKey: SigningKey
  remove: (immediately: boolean) => void
  close: () => void
}

/** Takes a key away: with the tokens that it signed running out by themselves, or at once, with all of them dead. */
export function RemoveKeyDialog({ opened, signingKey: { kid, retiredAt }, remove, close }: Props) {
  const [leaked, setLeaked] = useState(false)
  // A retired key has nothing left to do but to go.
  const immediately = leaked || Boolean(retiredAt)
  useEffect(() => {
    if (opened) setLeaked(false)
  }, [opened])
  return (
    <ConfirmDialog
      opened={opened}
      title={words.keyRemoveTitle(kid)}
      text={immediately ? words.keyLeakedAbout : words.keyRemoveText}
      verb={immediately ? words.keyRemoveLeakedVerb : words.keyRemoveVerb}
      act={async () => remove(immediately)}
      close={close}
    >
      {!retiredAt && (
        <Checkbox
          checked={leaked}
          onChange={(event) => setLeaked(event.target.checked)}
          label={words.keyLeaked}
          iconColor="var(--mantine-primary-color-contrast)"
        />
      )}
    </ConfirmDialog>
  )
}
