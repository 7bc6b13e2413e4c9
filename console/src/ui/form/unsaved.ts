import { useEffect } from 'react'
import { session } from '../../api/session'
import common from '../../messages/en/common.json'

/** The question of each form of this document that has unsaved changes; null if it may be left without one. */
const questions = new Map<object, string | null>()

export const hasUnsaved = (): boolean => questions.size > 0

/** Asks before unsaved changes are lost. The router of the document calls it before it leaves a page. */
export const mayLeave = (): boolean =>
  [...questions.values()].every((question) => question === null || confirm(question))

/**
 * Asks before a link, Back or a reload discards input; a session that ends meanwhile keeps the page.
 * @param question null for a dialog, which the user closes on purpose: only a reload asks
 */
export function useUnsaved(dirty: boolean, question: string | null = common.leaveUnsaved()) {
  useEffect(() => {
    if (!dirty) return
    const form = {}
    questions.set(form, question)
    const beforeUnload = (event: Event) => {
      if (session.view() !== null) event.preventDefault()
    }
    addEventListener('beforeunload', beforeUnload)
    return () => {
      questions.delete(form)
      removeEventListener('beforeunload', beforeUnload)
    }
  }, [dirty, question])
}
