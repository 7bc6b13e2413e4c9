import { useEffect, useState } from 'react'
import styles from './hidden.module.css'

let say: (text: string) => void = () => {}

/** Announces `text` in screen readers when they are idle, for changes that are otherwise only visible. Errors have `role="alert"`. */
export function announce(text: string) {
  say(text)
}

/** The live region of the page. It must be in the document before the first announcement. */
export function Announcer() {
  const [text, setText] = useState('')
  useEffect(() => {
    // The same string twice does not change the document: clear it first, so that it is announced again.
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
