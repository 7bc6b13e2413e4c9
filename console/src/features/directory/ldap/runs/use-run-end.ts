import { useEffect, useRef } from 'react'
import type { DirectoryRunSummary } from '../../../../api/contract'
import m from '../../../../messages/en/ldap-runs.json'
import { announce } from '../../../../ui/document/announcer'
import { useCurrentTeam } from '../../../organizations/current-team'
import { refreshAfterRun } from '../queries'
import { runName } from './run-name'
import { outcomeOf } from './run-outcome'

/** Announces the end of a run, and loads again what it may have changed. */
export function useRunEnd(run: DirectoryRunSummary | undefined) {
  const { team } = useCurrentTeam()
  const wasRunning = useRef('')
  useEffect(() => {
    if (!run) return
    const { id, status } = run
    if (status !== 'running' && wasRunning.current === id) {
      announce(m.nameAndOutcome({ name: runName(run), outcome: m.outcome({ outcome: outcomeOf(run) }) }))
      refreshAfterRun(team.id)
    }
    wasRunning.current = status === 'running' ? id : ''
  }, [run, team.id])
}
