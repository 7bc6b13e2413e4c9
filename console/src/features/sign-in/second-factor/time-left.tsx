import { useEffect, useRef, useState } from 'react'
import m from '../../../messages/en/second-factor.json'
import { announce } from '../../../ui/document/announcer'
import parts from '../../../ui/public/parts.module.css'
import { countdown } from '../../../ui/values/time'
import styles from './time-left.module.css'

const secondsTo = (timestamp: number) => Math.max(0, Math.ceil((timestamp - Date.now()) / 1000))

interface Props {
  /** milliseconds since 1970 */
  endsAt: number
  email: string | undefined
  over: () => void
}

/** Shows who signs in, if the user entered the email address, and when the sign-in expires. Announced when a minute is left. */
export function TimeLeft({ endsAt, email, over }: Props) {
  const [left, setLeft] = useState(() => secondsTo(endsAt))
  const whenOver = useRef(over)
  whenOver.current = over
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsTo(endsAt)), 500)
    return () => clearInterval(timer)
  }, [endsAt])
  useEffect(() => {
    if (left === 60) announce(m.minuteLeft())
    if (left === 0) whenOver.current()
  }, [left])
  return (
    <p role="timer" data-numeric className={`${parts.note} ${parts.centered} ${styles.line}`}>
      {email && <span>{email}</span>} <span className={parts.whole}>{m.timeLeft({ time: countdown(left) })}</span>
    </p>
  )
}
