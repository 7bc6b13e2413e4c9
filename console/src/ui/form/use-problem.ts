import { useEffect, useRef, useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'

/**
 * The error of the last request of a form or dialog. If the user has closed it meanwhile, `report` shows the error as a toast instead:
 * without one, the action would seem to have succeeded.
 * @param isOpen false while a dialog that stays mounted is closed
 * @returns `report` with the error, and the opening during which the request was sent (default: the current one)
 */
export function useProblem(isOpen = true) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const openings = useRef(0)
  // The number of the opening, 0 while closed: a dialog may be open again, for another row, when a request ends.
  const opening = useRef(0)
  useEffect(() => {
    opening.current = isOpen ? ++openings.current : 0
    // The error of the previous opening, which another row may have had.
    if (isOpen) setProblem(null)
    return () => {
      opening.current = 0
    }
  }, [isOpen])
  return {
    problem,
    setProblem,
    opening,
    report: (thrown: unknown, during = opening.current) => {
      if (during !== 0 && opening.current === during) setProblem(asProblem(thrown))
      // Loaded when needed: sign-in pages have no toasts.
      else void import('../../api/toasts').then(({ showProblem }) => showProblem(asProblem(thrown)))
    },
  }
}
