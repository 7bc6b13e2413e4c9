import { useEffect, useRef, useState } from 'react'
import { serviceAddress } from '../../../api/service-address'
import m from '../../../messages/en/try-it.json'
import type { PendingTry } from './pending-try'
import { revokeTokens, type Tokens, tryRun } from './try-run'
import type { Step, StepName } from './try-steps'
import { realWorld } from './world'

type Steps = Partial<Record<StepName, Step>>

/** Runs the steps of `pending` once, when the page opens. Keeps the tokens in memory only. */
export function useTryRun(pending: PendingTry, query: URLSearchParams) {
  const [steps, setSteps] = useState<Steps>({})
  const [phase, setPhase] = useState<'running' | 'ready' | 'revoking' | 'over'>('running')
  const tokens = useRef<Tokens | null>(null)
  const started = useRef(false)
  const [world] = useState(() => realWorld(pending.teamId, pending.appId))
  const report = (step: Step) => setSteps((before) => ({ ...before, [step.name]: step }))

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the page opens.
  useEffect(() => {
    if (started.current) return
    started.current = true
    tryRun(pending, query, world, report, m.addedByService()).then((given) => {
      tokens.current = given
      setPhase(given ? 'ready' : 'over')
    })
  }, [])

  async function revoke() {
    if (!tokens.current) return
    setPhase('revoking')
    await revokeTokens(tokens.current, serviceAddress(), world, report)
    setPhase('over')
  }

  return { steps, phase, revoke }
}
