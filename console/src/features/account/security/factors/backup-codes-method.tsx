import { Button } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../../../api/use-write'
import m from '../../../../messages/en/factors.json'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog'
import { Dialog } from '../../../../ui/dialogs/dialog'
import { MethodRow } from '../method-row'
import type { Guarded } from '../use-reauthentication'
import { BackupCodesOnce } from './backup-codes-once'
import { createBackupCodes, factorsQuery } from './calls'
import { few } from './few-codes'

interface Props {
  left: number
  email: string
  guarded: Guarded
}

export function BackupCodesMethod({ left, email, guarded }: Props) {
  const [asking, setAsking] = useState(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const write = useWrite({
    // Returns nothing: the cache of mutations would store the codes.
    act: async () => setCodes(await guarded(createBackupCodes)),
    refresh: [factorsQuery.queryKey],
  })

  return (
    <MethodRow
      icon="list"
      name={m.backupCodes()}
      state={{ tone: few(left) ? 'bad' : 'ok', text: m.backupLeft({ left }) }}
      about={few(left) ? m.backupFew() : m.backupAbout()}
      action={
        <Button variant="default" loading={write.isPending} onClick={() => setAsking(true)}>
          {m.newCodes()}
        </Button>
      }
    >
      <ConfirmDialog
        opened={asking}
        title={m.newCodesTitle()}
        text={m.newCodesText()}
        verb={m.newCodes()}
        // Closes the dialog first: the action may open the reauthentication dialog.
        act={async () => write.mutate()}
        close={() => setAsking(false)}
      />
      <Dialog
        opened={codes !== null}
        onClose={() => setCodes(null)}
        title={m.codesTitle()}
        size="lg"
        closeOnEscape={false}
        closeOnClickOutside={false}
        withCloseButton={false}
      >
        {codes && <BackupCodesOnce email={email} codes={codes} done={() => setCodes(null)} />}
      </Dialog>
    </MethodRow>
  )
}
