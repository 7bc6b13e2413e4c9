import { useRef, useState } from 'react'
import { Problem } from '../../../api/problem'

/** Runs an action, after a reauthentication if the service requires one. */
export type Guarded = <T>(act: () => Promise<T>) => Promise<T>

/** The required kind: any recent authentication, or a second factor that the session has not verified. */
export type WantedProof = 'any' | 'factor'

const WANTED: Record<string, WantedProof> = { reauthentication_required: 'any', second_factor_required: 'factor' }

/**
 * Runs actions that may require a recent sign-in or a second factor: opens the dialog when the service requires it, then repeats the
 * action. If the dialog is closed, the action fails with the error of the service.
 */
export function useReauthentication() {
  const [asking, setAsking] = useState<WantedProof | null>(null)
  const answer = useRef<(confirmed: boolean) => void>(() => {})

  function settle(confirmed: boolean) {
    setAsking(null)
    answer.current(confirmed)
  }

  /** @param asked kinds that were completed for this action; each is requested once */
  async function run<T>(act: () => Promise<T>, asked: readonly WantedProof[]): Promise<T> {
    try {
      return await act()
    } catch (thrown) {
      const wanted = thrown instanceof Problem ? WANTED[thrown.code] : undefined
      if (!wanted || asked.includes(wanted)) throw thrown
      setAsking(wanted)
      const confirmed = await new Promise<boolean>((resolve) => {
        answer.current = resolve
      })
      if (!confirmed) throw thrown
      return run(act, [...asked, wanted])
    }
  }

  const guarded: Guarded = (act) => run(act, [])
  return { guarded, dialog: { asking, confirmed: () => settle(true), close: () => settle(false) } }
}
