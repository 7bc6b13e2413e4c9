import { Button } from '@mantine/core'
import { useState } from 'react'
import type { DirectoryRun } from '../../../../api/contract'
import { ConfirmDialog } from '../../../../ui/confirm-dialog'
import { ProblemMessage } from '../../../../ui/form/problem-message'
import stack from '../../../../ui/stack.module.css'
import { ldapRunWords as words } from '../../../../words'
import { suspendsMany } from './run-outcome'
import { useStartSync } from './use-start-sync'

/** What comes after a run: do what a dry run told, or try once more. Whoever would suspend many is asked first. */
export function AfterRun({ run }: { run: DirectoryRun }) {
  const { busy, problem, begin, start } = useStartSync()
  const [asking, setAsking] = useState(false)
  const isUnconfirmed = run.error === 'leavers_unconfirmed'
  const isReady = run.dryRun && run.status === 'completed'
  if (!isReady && run.status === 'completed') return null
  const asks = isUnconfirmed || (isReady && suspendsMany(run))
  return (
    <div className={stack.tight}>
      <div className={stack.row}>
        {!isReady && (
          <Button
            variant="default"
            loading={busy === 'dryRun'}
            disabled={busy === 'sync'}
            onClick={() => start({ dryRun: true })}
          >
            {words.dryRun}
          </Button>
        )}
        <Button
          variant={isUnconfirmed ? 'default' : 'filled'}
          loading={busy === 'sync'}
          disabled={busy === 'dryRun'}
          onClick={() => (asks ? setAsking(true) : start({}))}
        >
          {isUnconfirmed ? words.confirmVerb : words.syncNow}
        </Button>
      </div>
      <ProblemMessage problem={problem} />
      <ConfirmDialog
        opened={asking}
        title={isUnconfirmed ? words.confirmManyTitle : words.confirmTitle(run.suspended)}
        text={words.confirmText}
        verb={words.confirmVerb}
        act={() => begin({ confirmLeavers: true })}
        close={() => setAsking(false)}
      />
    </div>
  )
}
