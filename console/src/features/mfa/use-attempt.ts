import { useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'

/** One act of a button: whether it is under way, and what was said against it. */
export function useAttempt() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function attempt(act: () => Promise<unknown>) {
    setBusy(true)
    setProblem(null)
    try {
      await act()
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  return { busy, problem, attempt }
}
