import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { asProblem, type Problem } from '../../../api/problem'
import m from '../../../messages/en/second-factor.json'
import { askForPasskey, endRequest } from '../../../passkeys/ceremony'
import { announce } from '../../../ui/announcer'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/notice'
import stack from '../../../ui/stack.module.css'
import { answerChallengeByPasskey, challengePasskeyOptions } from '../calls'
import { overAfter } from './challenge-error'
import type { StepProps } from './challenge-frame'

/** Requests a passkey on click: a dialog that opens by itself is often dismissed. */
export function PasskeyStep({ challenge, frame, passed, over, more }: StepProps) {
  const [busy, setBusy] = useState(false)
  const [cancelled, setCancelled] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const retryIn = useRetryIn(problem)
  useEffect(() => endRequest, [])

  async function prove() {
    setBusy(true)
    setCancelled(false)
    setProblem(null)
    try {
      const assertion = await askForPasskey(await challengePasskeyOptions(challenge.token))
      if (assertion) return await passed(await answerChallengeByPasskey(challenge.token, assertion))
      setCancelled(true)
      announce(m.cancelled())
    } catch (thrown) {
      const why = overAfter(challenge, thrown)
      if (why) return over(why)
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  return frame({
    heading: m.passkeyHeading(),
    lead: m.passkeyLead(),
    message: problem ? (
      <ProblemMessage problem={problem} />
    ) : (
      cancelled && (
        <Notice kind="info">
          <p>{m.cancelled()}</p>
        </Notice>
      )
    ),
    children: (
      <div className={stack.fields}>
        <Button
          fullWidth
          data-autofocus
          leftSection={<Icon name="key" />}
          loading={busy}
          disabled={retryIn > 0}
          onClick={prove}
        >
          {m.passkeySubmit()}
        </Button>
        {more}
      </div>
    ),
  })
}
