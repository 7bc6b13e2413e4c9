import { Loader } from '@mantine/core'
import { useEffect } from 'react'
import { boot } from '../boot'
import styles from './on-the-way.module.css'

/** A hop that nothing is asked at: says where it leads. */
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
