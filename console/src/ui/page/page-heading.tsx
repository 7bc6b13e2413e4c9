import { type ReactNode, useEffect, useRef } from 'react'
import { boot } from '../../boot'
import { hasLostFocus } from '../document/focus'
import styles from './page-heading.module.css'

/** False for the first page of the document: there the browser and `autoFocus` set the focus. */
let afterFirstPage = false

interface Props {
  children: ReactNode
  /** the title of the window, if it is not the heading */
  title?: string
}

/** The `<h1>` of a page: sets the title of the window, and receives the focus after a navigation without a new document. */
export function PageHeading({ children, title = String(children) }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const focusedOn = useRef<string>(undefined)
  useEffect(() => {
    document.title = `${title} · ${boot.instance.name}`
    // Not when the page has only saved another name.
    const isNew = focusedOn.current !== location.pathname
    focusedOn.current = location.pathname
    // The focus makes screen readers read it: no announcement needed.
    if (afterFirstPage && (isNew || hasLostFocus())) heading.current?.focus({ preventScroll: true })
    // Not immediately: React's strict mode runs effects twice, and a loading page may render its heading twice.
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
