import { useEffect, useState } from 'react'
import type { Problem } from '../../api/problem'
import { explain, formWords } from '../../words'
import hidden from '../hidden.module.css'
import { Notice } from '../notice'

/** Seconds left until `problem` says that another try makes sense; 0 without such a limit. */
export function useRetryIn(problem: Problem | null) {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (!problem?.retryAfter) {
      setLeft(0)
      return
    }
    const end = Date.now() + problem.retryAfter * 1000
    const tick = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 500)
    return () => clearInterval(timer)
  }, [problem])
  return left
}

/** The refusal of a form. A countdown is seen ticking but spoken once. */
export function ProblemMessage({ problem }: { problem: Problem | null }) {
  const left = useRetryIn(problem)
  if (!problem) return null
  const waits = problem.code === 'rate_limited' && problem.retryAfter !== undefined
  return (
    <Notice kind="error">
      {waits ? (
        <p>
          <span className={hidden.hidden}>{formWords.retryIn(problem.retryAfter ?? 0)}</span>
          <span aria-hidden="true">{left > 0 ? formWords.retryClock(left) : formWords.retryNow}</span>
        </p>
      ) : (
        <p>{explain(problem)}</p>
      )}
    </Notice>
  )
}
