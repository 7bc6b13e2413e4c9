import { useEffect, useRef, useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'

/**
 * The error of the last request of a form or dialog. If the user has closed it meanwhile, `report` shows the error as a toast instead:
 * without one, the action would seem to have succeeded.
 * @param isOpen false while a dialog that stays mounted is closed
 */
export function useProblem(isOpen = true) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = isOpen
    return () => {
      isShown.current = false
    }
  }, [isOpen])
  return {
    problem,
    setProblem,
    isShown,
    report: (thrown: unknown) => {
      if (isShown.current) setProblem(asProblem(thrown))
      // Loaded when needed: sign-in pages have no toasts.
      else void import('../../api/toasts').then(({ showProblem }) => showProblem(asProblem(thrown)))
    },
  }
}
