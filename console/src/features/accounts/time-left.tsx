import { useEffect, useRef, useState } from 'react'
import { announce } from '../../ui/announcer'
import stack from '../../ui/stack.module.css'
import { challengeWords as words } from '../../words'

const secondsTo = (moment: number) => Math.max(0, Math.ceil((moment - Date.now()) / 1000))

interface Props {
  /** milliseconds since 1970 */
  endsAt: number
  over: () => void
}

/** How long the sign-in still waits. Seen ticking; spoken when a minute is left. */
export function TimeLeft({ endsAt, over }: Props) {
  const [left, setLeft] = useState(() => secondsTo(endsAt))
  const whenOver = useRef(over)
  whenOver.current = over
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsTo(endsAt)), 500)
    return () => clearInterval(timer)
  }, [endsAt])
  useEffect(() => {
    if (left === 60) announce(words.minuteLeft)
    if (left === 0) whenOver.current()
  }, [left])
  return (
    <p role="timer" data-numeric className={`${stack.dimmed} ${stack.small}`}>
      {words.timeLeft(left)}
    </p>
  )
}
