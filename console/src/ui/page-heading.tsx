import { type ReactNode, useEffect, useRef } from 'react'
import { boot } from '../boot'
import styles from './page-heading.module.css'

/** False for the page that the document was opened with: there the browser and `autoFocus` decide where the focus is. */
let afterFirstPage = false

interface Props {
  children: ReactNode
  /** for the window's title, where it is not the heading's text */
  title?: string
}

/** The one `<h1>` of a page: names the window, and takes the focus when a click led here without a new document. */
export function PageHeading({ children, title = String(children) }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${boot.instance.name}`
    // The focus has it read out: no need to announce it as well.
    if (afterFirstPage) heading.current?.focus({ preventScroll: true })
    // Not at once: React's strict mode runs effects twice, and a loading page may put its heading up twice.
    const timer = setTimeout(() => {
      afterFirstPage = true
    })
    return () => clearTimeout(timer)
  }, [title])
  return (
    <h1 ref={heading} tabIndex={-1} className={styles.heading}>
      {children}
    </h1>
  )
}
