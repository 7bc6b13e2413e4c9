import { useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'

/** Runs the action of a button, with its pending state and error. */
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
