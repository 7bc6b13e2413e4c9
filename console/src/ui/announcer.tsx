import { useEffect, useState } from 'react'
import styles from './hidden.module.css'

let say: (text: string) => void = () => {}

/** Has screen readers speak `text` when they are idle. For what is only seen otherwise; errors are `role="alert"` themselves. */
export function announce(text: string) {
  say(text)
}

/** The one live region of the page. It must be in the document before the first text comes. */
export function Announcer() {
  const [text, setText] = useState('')
  useEffect(() => {
    // The same text twice is no change of the document: clear it first, so that it is spoken again.
    say = (next) => {
      setText('')
      setTimeout(() => setText(next), 50)
    }
    return () => {
      say = () => {}
    }
  }, [])
  return (
    <div role="status" className={styles.hidden}>
      {text}
    </div>
  )
}
