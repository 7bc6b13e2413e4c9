import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import common from '../../messages/en/common.json'
import { Icon } from '../icons/icon'
import styles from './detail-drawer.module.css'
import { DOCKED } from './docked'

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

/**
 * The details of one row, docked beside its list, or over the page where there is no room for both. It takes the focus when it opens, Escape
 * closes it, and the row gets the focus back.
 */
export function DetailDrawer(props: Props) {
  const { label, position, previous, next, close, actions, picture, title, subtitle, badge, footer, children } = props
  const drawer = useRef<HTMLElement>(null)
  const isDocked = useMediaQuery(DOCKED, true, { getInitialValueInEffect: false })
  useEffect(() => {
    const before = document.activeElement
    drawer.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <>
      {!isDocked && (
        <button type="button" className={styles.backdrop} tabIndex={-1} aria-hidden="true" onClick={close} />
      )}
      <aside
        ref={drawer}
        tabIndex={-1}
        className={styles.drawer}
        aria-label={label}
        {...(!isDocked && { role: 'dialog', 'aria-modal': true })}
        onKeyDown={(event) => {
          const target = event.target as Element
          // Dialogs of the drawer are outside of it in the document. They and menus close themselves.
          if (!event.currentTarget.contains(target) || target.closest('[role="menu"]')) return
          if (event.key === 'Escape') close()
          if (event.key === 'Tab' && !isDocked) keepInside(event)
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
            <Icon name="up" />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" disabled={!next} aria-label={common.next()} onClick={next}>
            <Icon name="down" />
          </ActionIcon>
          <span className={styles.position}>{position}</span>
          {actions}
          <ActionIcon
            variant="subtle"
            color="gray"
            className={styles.close as string}
            aria-label={common.close()}
            title={common.close()}
            onClick={close}
          >
            <Icon name="close" />
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
    </>
  )
}

/** Moves the focus from the last element to the first, and back: the page behind is covered. */
function keepInside(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: drawer, shiftKey } = event
  const inside = [...drawer.querySelectorAll<HTMLElement>('a[href], button:enabled')].filter(
    ({ offsetParent }) => offsetParent !== null,
  )
  const [first, last] = [inside[0], inside.at(-1)]
  const active = document.activeElement
  if (shiftKey ? active !== first && active !== drawer : active !== last) return
  event.preventDefault()
  const next = shiftKey ? last : first
  next?.focus()
}
