import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { focusPage, hasLostFocus } from '../document/focus'

/** The elements that can get the focus when a dialog closes, best first. */
type Openers = readonly Element[]

/** The element that had the focus last: a button that is disabled during a request loses it before the dialog opens. */
let lastFocused: Element | null = null
document.addEventListener('focusin', ({ target }) => {
  lastFocused = target instanceof Element ? target : null
})

/** The openers of each open dialog, in the order of opening. */
const open: Openers[] = []

/**
 * A dialog. When it closes, its opener gets the focus, also if the component was mounted with the dialog already open: Mantine's own return
 * of the focus requires a mounted component whose `opened` changes.
 */
export function Dialog({ opened, ...props }: ModalProps) {
  // While rendering: before an effect runs, a menu with the focused item has closed.
  const [openers, setOpeners] = useState(() => (opened ? findOpeners() : null))
  if (opened !== (openers !== null)) setOpeners(opened ? findOpeners() : null)
  useEffect(() => {
    if (!openers) return
    open.push(openers)
    return () => {
      open.splice(open.indexOf(openers), 1)
      returnFocus(openers)
    }
  }, [openers])
  return <Modal opened={opened} {...props} returnFocus={false} />
}

/** Returns the focused element, and the openers of the dialog below: a dialog can replace another, whose button is then removed. */
function findOpeners(): Openers {
  const active = hasLostFocus() ? lastFocused : document.activeElement
  const below = open.at(-1) ?? []
  if (!active) return below
  const opener = menuButton(active)
  return opener.closest('[role="dialog"]') ? [opener, ...below] : [opener]
}

/** Returns the button of the menu if the element is an item of one, which is removed when the menu closes. */
function menuButton(element: Element): Element {
  const label = element.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const button = label && document.getElementById(label)
  return button ? menuButton(button) : element
}

/** Moves the focus only if it is lost or still in the closing dialog. */
function returnFocus(openers: Openers): void {
  const closing = document.activeElement
  setTimeout(() => {
    const active = document.activeElement
    if (active && active !== document.body && active !== closing) return
    const opener = openers.find(
      (element): element is HTMLElement => element instanceof HTMLElement && canFocus(element),
    )
    if (opener) opener.focus({ preventScroll: true })
    else focusPage()
  }, 10)
}

const canFocus = (element: HTMLElement): boolean => element.isConnected && !element.matches(':disabled')
