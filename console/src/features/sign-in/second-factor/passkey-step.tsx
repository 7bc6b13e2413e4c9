import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { asProblem, type Problem } from '../../../api/problem'
import m from '../../../messages/en/second-factor.json'
import stepMessages from '../../../messages/en/sign-in-steps.json'
import { askForPasskey, endRequest } from '../../../passkeys/ceremony'
import { announce } from '../../../ui/document/announcer'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/layout/notice'
import { answerChallengeByPasskey, challengePasskeyOptions } from '../calls'
import { overAfter } from './challenge-error'
import type { StepProps } from './challenge-frame'

/** Requests a passkey on click: a dialog that opens by itself is often dismissed. */
export function PasskeyStep({ challenge, frame, passed, over, more, help }: StepProps) {
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
      announce(stepMessages.cancelled())
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
          <p>{stepMessages.cancelled()}</p>
        </Notice>
      )
    ),
    below: help,
    children: (
      <>
        <Button
          fullWidth
          data-autofocus
          leftSection={<Icon name="passkey" />}
          loading={busy}
          disabled={retryIn > 0}
          onClick={prove}
        >
          {m.passkeyContinue()}
        </Button>
        {more}
      </>
    ),
  })
}
