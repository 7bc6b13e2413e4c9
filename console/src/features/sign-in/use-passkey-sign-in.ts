import { useEffect, useRef, useState } from 'react'
import type { SessionAnswer } from '../../api/contract'
import { asProblem, type Problem } from '../../api/problem'
import m from '../../messages/en/sign-in-steps.json'
import { askForPasskey, autofillWorks, endRequest } from '../../passkeys/ceremony'
import type { Assertion } from '../../passkeys/credential-json'
import { announce } from '../../ui/document/announcer'
import { passkeyOptions, signInByPasskey } from './calls'
import { onceSeen } from './once-seen'

/** The default lifetime of a passkey request. */
const usualLifeMs = 5 * 60_000

interface Options {
  enter: (answer: SessionAnswer) => unknown
  /** "Keep me signed in", read when a passkey is used */
  remember: () => boolean
}

/**
 * Signs in with a passkey, chosen in the autofill of the email field or with a button. While the form is shown, an invisible request waits
 * in the browser; the button and leaving the page cancel it.
 */
export function usePasskeySignIn(options: Options) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [cancelled, setCancelled] = useState(false)
  const latest = useRef(options)
  latest.current = options

  function clear() {
    setProblem(null)
    setCancelled(false)
  }

  const prove = useRef(async (ask: () => Promise<Assertion | null>) => {
    setBusy(true)
    clear()
    try {
      const assertion = await ask()
      if (assertion) {
        const { enter, remember } = latest.current
        // Stays busy: the page is being left.
        return await enter(await signInByPasskey(assertion, remember()))
      }
      setCancelled(true)
      announce(m.cancelled())
    } catch (thrown) {
      setProblem(asProblem(thrown))
    }
    setBusy(false)
  }).current

  useEffect(() => {
    if (busy) return
    let left = false
    let renewal: ReturnType<typeof setTimeout> | undefined

    async function offer() {
      await onceSeen()
      if (left) return
      const asked = await passkeyOptions()
      if (left) return
      // Replaces the request before it expires.
      renewal = setTimeout(() => offer().catch(() => {}), (asked.timeout ?? usualLifeMs) * 0.9)
      const assertion = await askForPasskey(asked, { autofill: true })
      if (assertion && !left) await prove(async () => assertion)
    }

    // If autofill does not work, the form and the button do.
    autofillWorks()
      .then((works) => (works ? offer() : undefined))
      .catch(() => {})
    return () => {
      left = true
      clearTimeout(renewal)
      endRequest()
    }
  }, [busy, prove])

  return {
    busy,
    problem,
    cancelled,
    clear,
    signIn: () => prove(async () => askForPasskey(await passkeyOptions())),
  }
}
