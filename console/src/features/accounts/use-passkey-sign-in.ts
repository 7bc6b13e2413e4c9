import { useEffect, useRef, useState } from 'react'
import type { SessionAnswer } from '../../api/contract'
import { asProblem, type Problem } from '../../api/problem'
import m from '../../messages/en/second-factor.json'
import { askForPasskey, autofillWorks, endRequest } from '../../passkeys/ceremony'
import type { Assertion } from '../../passkeys/credential-json'
import { announce } from '../../ui/announcer'
import { passkeyOptions, signInByPasskey } from './calls'
import { onceSeen } from './once-seen'

/** The service forgets what it asked for after this time, unless it says another one. */
const usualLifeMs = 5 * 60_000

interface Options {
  enter: (answer: SessionAnswer) => unknown
  /** whether to stay signed in, asked when a passkey was used */
  remember: () => boolean
}

/**
 * Signing in by a passkey alone: chosen among the saved passwords of the email field, or by a button. While the form is
 * there the browser holds a request that nobody sees; the button ends it first, and so does leaving the page.
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
      // Before the service forgets what it asked for, something new is asked for.
      renewal = setTimeout(() => offer().catch(() => {}), (asked.timeout ?? usualLifeMs) * 0.9)
      const assertion = await askForPasskey(asked, { autofill: true })
      if (assertion && !left) await prove(async () => assertion)
    }

    // Where this does not work, the form and the button do.
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
