import { Loader } from '@mantine/core'
import { useEffect } from 'react'
import { boot } from '../../boot'
import styles from './on-the-way.module.css'

/** Shows the destination during an automatic redirect. */
export function OnTheWay({ text }: { text: string }) {
  useEffect(() => {
    document.title = `${text} · ${boot.instance.name}`
  }, [text])
  return (
    <main id="page" tabIndex={-1} className={styles.frame}>
      <Loader aria-hidden="true" />
      <p role="status" className={styles.text}>
        {text}
      </p>
    </main>
  )
}
