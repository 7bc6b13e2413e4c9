import { useEffect, useRef } from 'react'
import type { DirectoryRunSummary } from '../../../../api/contract'
import { announce } from '../../../../ui/announcer'
import { ldapRunWords as words } from '../../../../words'
import { useCurrentTeam } from '../../../organizations/current-team'
import { runEnded } from '../queries'
import { outcomeOf } from './run-outcome'

/** Whoever waits for the end of a run hears of it, and the pages read again what it may have changed. */
export function useRunEnd(run: DirectoryRunSummary | undefined) {
  const { team } = useCurrentTeam()
  const wasRunning = useRef('')
  useEffect(() => {
    if (!run) return
    const { id, status } = run
    if (status !== 'running' && wasRunning.current === id) {
      announce(`${words.name(run)}: ${words.outcome(outcomeOf(run))}`)
      runEnded(team.id)
    }
    wasRunning.current = status === 'running' ? id : ''
  }, [run, team.id])
}
