import { Badge, Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../../../api/use-write'
import m from '../../../../messages/en/factors.json'
import { ConfirmDialog } from '../../../../ui/confirm-dialog'
import { Icon } from '../../../../ui/icons/icon'
import { Panel } from '../../../../ui/panel'
import stack from '../../../../ui/stack.module.css'
import type { Guarded } from '../use-reauthentication'
import { BackupCodesOnce } from './backup-codes-once'
import { createBackupCodes, factorsQuery } from './calls'
import { few } from './few-codes'

interface Props {
  left: number
  email: string
  guarded: Guarded
}

export function BackupCodesPanel({ left, email, guarded }: Props) {
  const [asking, setAsking] = useState(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const write = useWrite({
    // Returns nothing: the cache of mutations would store the codes.
    act: async () => setCodes(await guarded(createBackupCodes)),
    refresh: [factorsQuery.queryKey],
  })

  return (
    <Panel
      title={m.backupCodes()}
      about={m.backupAbout()}
      action={
        <Button variant="default" loading={write.isPending} onClick={() => setAsking(true)}>
          {m.newCodes()}
        </Button>
      }
    >
      <div className={stack.row}>
        <Badge
          color={few(left) ? 'red' : 'green'}
          leftSection={<Icon name={few(left) ? 'warning' : 'check'} size={14} />}
        >
          {m.backupLeft({ left })}
        </Badge>
        {few(left) && <span>{m.backupFew()}</span>}
      </div>
      <ConfirmDialog
        opened={asking}
        title={m.newCodesTitle()}
        text={m.newCodesText()}
        verb={m.newCodes()}
        // Closes the dialog first: the action may open the reauthentication dialog.
        act={async () => write.mutate()}
        close={() => setAsking(false)}
      />
      <Modal
        opened={codes !== null}
        onClose={() => setCodes(null)}
        title={m.codesTitle()}
        size="lg"
        closeOnEscape={false}
        closeOnClickOutside={false}
        withCloseButton={false}
      >
        {codes && <BackupCodesOnce email={email} codes={codes} done={() => setCodes(null)} />}
      </Modal>
    </Panel>
  )
}
