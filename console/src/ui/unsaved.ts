import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { session } from '../api/session'
import common from '../messages/en/common.json'

/** Forms of this document with unsaved input. */
let unsaved = 0

export function hasUnsaved() {
  return unsaved > 0
}

/** Asks before a link, Back or a reload discards input; a session that ends meanwhile keeps the page. */
export function useUnsaved(dirty: boolean, question: string = common.leaveUnsaved()) {
  useEffect(() => {
    if (!dirty) return
    unsaved += 1
    return () => {
      unsaved -= 1
    }
  }, [dirty])
  useBlocker({
    shouldBlockFn: () => dirty && !confirm(question),
    enableBeforeUnload: () => dirty && session.view() !== null,
  })
}
