import { useEffect, useState } from 'react'
import { explain, retryMessage } from '../../api/explain'
import type { Problem } from '../../api/problem'
import m from '../../messages/en/form.json'
import hidden from '../document/hidden.module.css'
import { Notice } from '../layout/notice'
import { countdown } from '../values/time'

/** Returns the seconds until the next attempt is allowed; 0 without a limit. */
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

/** Shows why the service rejected a form. A countdown is visible, but announced once. */
export function ProblemMessage({ problem }: { problem: Problem | null }) {
  const left = useRetryIn(problem)
  if (!problem) return null
  const waits = problem.code === 'rate_limited' && problem.retryAfter !== undefined
  return (
    <Notice kind="error">
      {waits ? (
        <p>
          <span className={hidden.hidden}>{retryMessage(problem.retryAfter ?? 0)}</span>
          <span aria-hidden="true">{left > 0 ? clockMessage(left) : m.retryNow()}</span>
        </p>
      ) : (
        <p>{explain(problem)}</p>
      )}
    </Notice>
  )
}

/** A limit of a day has no countdown. */
const clockMessage = (seconds: number): string =>
  seconds > 3_600 ? retryMessage(seconds) : m.retryClock({ time: countdown(seconds) })
