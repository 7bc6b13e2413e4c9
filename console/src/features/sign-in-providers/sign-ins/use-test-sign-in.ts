import { useState } from 'react'
import { asProblem, Problem } from '../../../api/problem'
import { serviceAddress } from '../../../api/service-address'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { beginTest } from '../queries'
import { keepPendingTest } from './pending-test'

/** Takes this window to the provider for a test; it comes back to the report. */
export function useTestSignIn() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function begin() {
    setBusy(true)
    setProblem(null)
    try {
      const { url, runId } = await beginTest(team.id, id)
      // It begins at the service itself; nothing else is followed.
      if (new URL(url).origin !== serviceAddress()) throw new Problem({ code: 'not_followable' })
      keepPendingTest({ runId, slug: team.slug })
      location.assign(url)
    } catch (thrown) {
      setProblem(asProblem(thrown))
      setBusy(false)
    }
  }

  return { busy, problem, begin }
}
