import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { StartSync } from '../../../../api/contract'
import { asProblem, type Problem } from '../../../../api/problem'
import { announce } from '../../../../ui/announcer'
import { ldapRunWords as words } from '../../../../words'
import { useCurrentTeam } from '../../../organizations/current-team'
import { startSync } from '../queries'

/** Starts to read the directory and goes to the page of that run. */
export function useStartSync() {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const [busy, setBusy] = useState<'sync' | 'dryRun' | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  /** @throws Problem for a dialog that asks before, and says what was refused itself */
  async function begin(options: StartSync) {
    const { runId, isOther } = await startSync(team.id, options)
    announce(isOther ? words.alreadyRuns : words.starting)
    await navigate({
      to: '/t/$slug/directory/ldap/runs/$run',
      params: { slug: team.slug, run: runId },
      search: isOther ? { other: true } : {},
    })
  }

  async function start(options: StartSync) {
    if (busy) return
    setBusy(options.dryRun ? 'dryRun' : 'sync')
    setProblem(null)
    try {
      await begin(options)
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(null)
    }
  }

  return { busy, problem, begin, start }
}
