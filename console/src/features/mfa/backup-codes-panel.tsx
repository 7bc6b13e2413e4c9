import { Badge, Button, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Icon } from '../../ui/icons/icon'
import { Panel } from '../../ui/panel'
import stack from '../../ui/stack.module.css'
import { factorWords as words } from '../../words'
import type { Guarded } from '../credentials/use-reauthentication'
import { BackupCodesOnce } from './backup-codes-once'
import { makeBackupCodes } from './calls'
import { few } from './few-codes'
import { useAttempt } from './use-attempt'

interface Props {
  left: number
  email: string
  guarded: Guarded
}

export function BackupCodesPanel({ left, email, guarded }: Props) {
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const { busy, problem, attempt } = useAttempt()

  async function renew() {
    setCodes(await guarded(makeBackupCodes))
    await queries.invalidateQueries({ queryKey: ['mine', 'factors'] })
  }

  return (
    <Panel
      title={words.backupCodes}
      about={words.backupAbout}
      action={
        <Button variant="default" loading={busy} onClick={() => setAsking(true)}>
          {words.newCodes}
        </Button>
      }
    >
      <div className={stack.tight}>
        <div className={stack.row}>
          <Badge
            color={few(left) ? 'red' : 'green'}
            leftSection={<Icon name={few(left) ? 'warning' : 'check'} size={14} />}
          >
            {words.backupLeft(left)}
          </Badge>
          {few(left) && <span>{words.backupFew}</span>}
        </div>
        <ProblemMessage problem={problem} />
      </div>
      <ConfirmDialog
        opened={asking}
        title={words.newCodesTitle}
        text={words.newCodesText}
        verb={words.newCodes}
        // Goes on without the dialog: it may need a proof of who asks, which is a dialog of its own.
        act={async () => void attempt(renew)}
        close={() => setAsking(false)}
      />
      <Modal
        opened={codes !== null}
        onClose={() => setCodes(null)}
        title={words.codesTitle}
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
