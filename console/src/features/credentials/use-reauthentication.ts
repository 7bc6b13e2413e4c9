import { useRef, useState } from 'react'
import { Problem } from '../../api/problem'

/** Runs an act, after a proof of who asks where the service wants one. */
export type Guarded = <T>(act: () => Promise<T>) => Promise<T>

/** What is wanted: any proof that is recent, or a second factor that the session has not proven. */
export type WantedProof = 'any' | 'factor'

const WANTED: Record<string, WantedProof> = { reauthentication_required: 'any', second_factor_required: 'factor' }

/**
 * Runs acts that may want a more recent sign-in, or a second factor: opens the dialog when the service says so, and repeats the act
 * afterwards. An act whose dialog is closed without an answer fails with the service's own refusal.
 */
export function useReauthentication() {
  const [asking, setAsking] = useState<WantedProof | null>(null)
  const answer = useRef<(confirmed: boolean) => void>(() => {})

  function settle(confirmed: boolean) {
    setAsking(null)
    answer.current(confirmed)
  }

  /** @param asked what was proven for this act already: each is asked for once */
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
