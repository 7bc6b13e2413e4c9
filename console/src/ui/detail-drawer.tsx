import { ActionIcon } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import common from '../messages/en/common.json'
import styles from './detail-drawer.module.css'
import { Icon } from './icons/icon'

/** The place of the open row in its list. */
export interface Place {
  /** as "8 of 298" */
  position: string
  previous?: (() => void) | undefined
  next?: (() => void) | undefined
  close: () => void
}

interface Props extends Place {
  /** names the drawer for assistive technology */
  label: string
  /** in the bar at the top */
  actions?: ReactNode
  picture?: ReactNode
  title: string
  subtitle?: ReactNode
  badge?: ReactNode
  footer?: ReactNode
  children: ReactNode
}

/** The details of one row, docked beside its list. It takes the focus when it opens, Escape closes it, and the row gets the focus back. */
export function DetailDrawer(props: Props) {
  const { label, position, previous, next, close, actions, picture, title, subtitle, badge, footer, children } = props
  const drawer = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    drawer.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <aside
      ref={drawer}
      tabIndex={-1}
      className={styles.drawer}
      aria-label={label}
      onKeyDown={(event) => {
        // Menus and dialogs of the drawer are outside of it in the document, and close themselves.
        if (event.key === 'Escape' && event.currentTarget.contains(event.target as Node)) close()
      }}
    >
      <div className={styles.bar}>
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={!previous}
          aria-label={common.previous()}
          onClick={previous}
        >
          <Icon name="up" size={16} />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" disabled={!next} aria-label={common.next()} onClick={next}>
          <Icon name="down" size={16} />
        </ActionIcon>
        <span className={styles.position}>{position}</span>
        {actions}
        <ActionIcon variant="subtle" color="gray" aria-label={common.close()} onClick={close}>
          <Icon name="cross" size={16} />
        </ActionIcon>
      </div>
      <div className={styles.who}>
        {picture}
        <div className={styles.names}>
          <h2 className={styles.title}>{title}</h2>
          {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
        </div>
        {badge}
      </div>
      <div className={styles.body}>{children}</div>
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </aside>
  )
}
