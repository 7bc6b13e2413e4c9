import { useRef, useState } from 'react'
import { Problem } from '../../api/problem'

/**
 * Runs acts that may want a more recent sign-in: opens the dialog when the service says so, and repeats the act afterwards.
 * An act whose dialog is closed without an answer fails with the service's own refusal.
 */
export function useReauthentication() {
  const [asking, setAsking] = useState(false)
  const answer = useRef<(confirmed: boolean) => void>(() => {})

  function settle(confirmed: boolean) {
    setAsking(false)
    answer.current(confirmed)
  }

  async function guarded<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (thrown) {
      if (!(thrown instanceof Problem) || thrown.code !== 'reauthentication_required') throw thrown
      setAsking(true)
      const confirmed = await new Promise<boolean>((resolve) => {
        answer.current = resolve
      })
      if (!confirmed) throw thrown
      return act()
    }
  }

  return { guarded, dialog: { opened: asking, confirmed: () => settle(true), close: () => settle(false) } }
}
