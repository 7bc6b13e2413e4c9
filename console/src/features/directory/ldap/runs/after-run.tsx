import { Button } from '@mantine/core'
import { useState } from 'react'
import type { DirectoryRun } from '../../../../api/contract'
import m from '../../../../messages/en/ldap-runs.json'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog'
import stack from '../../../../ui/layout/stack.module.css'
import { suspendsMany } from './run-outcome'
import { useStartSync } from './use-start-sync'

/** The next step after a run: sync what a dry run planned, or try again. Asks before many users are suspended. */
export function AfterRun({ run }: { run: DirectoryRun }) {
  const { busy, begin, start } = useStartSync()
  const [asking, setAsking] = useState(false)
  const isUnconfirmed = run.error === 'leavers_unconfirmed'
  const isPlan = run.dryRun && run.status === 'completed'
  if (!isPlan && run.status === 'completed') return null
  const needsConfirmation = isUnconfirmed || (isPlan && suspendsMany(run))
  return (
    <div className={stack.row}>
      {!isPlan && (
        <Button
          variant="default"
          loading={busy === 'dryRun'}
          disabled={busy === 'sync'}
          onClick={() => start({ dryRun: true })}
        >
          {m.dryRun()}
        </Button>
      )}
      <Button
        variant={isUnconfirmed ? 'default' : 'filled'}
        loading={busy === 'sync'}
        disabled={busy === 'dryRun'}
        onClick={() => (needsConfirmation ? setAsking(true) : start({}))}
      >
        {isUnconfirmed ? m.confirm() : m.syncNow()}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={isUnconfirmed ? m.confirmManyTitle() : m.confirmTitle({ count: run.suspended })}
        text={m.confirmText()}
        verb={m.confirm()}
        act={() => begin({ confirmLeavers: true })}
        close={() => setAsking(false)}
      />
    </div>
  )
}
