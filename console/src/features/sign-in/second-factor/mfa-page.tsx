import { useState } from 'react'
import { isOpen, type SessionAnswer } from '../../../api/contract'
import m from '../../../messages/en/links.json'
import secondFactorMessages from '../../../messages/en/second-factor.json'
import signInMessages from '../../../messages/en/sign-in.json'
import { navigate, useSearch } from '../../../navigation/router'
import { replacementHref, signInSearch } from '../../../navigation/sign-in-search'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { Notice } from '../../../ui/layout/notice'
import parts from '../../../ui/public/parts.module.css'
import { QuietButton } from '../../../ui/public/quiet-button'
import { Disown } from '../links/disown'
import { RemovedList } from '../links/removed-list'
import { useEnter, useFollowSignIn } from '../use-enter'
import { challenge, endChallenge, openChallenge, type WhyOver } from './challenge'
import { ChallengeStep } from './challenge-step'
import { OtherTeams } from './other-teams'

/** Two-step verification between the first step of a sign-in and the session. */
export function MfaPage() {
  const search = useSearch(signInSearch)
  const enter = useEnter(search)
  useFollowSignIn(search)
  const [waiting, setWaiting] = useState(challenge)
  const [disowning, setDisowning] = useState(false)
  const cleaned = waiting?.cleaned

  function passed(answer: SessionAnswer) {
    if (answer.pending) return location.replace(replacementHref(search))
    // The other team requires two-step verification too.
    if (!isOpen(answer)) return setWaiting(openChallenge(answer, waiting?.email))
    endChallenge()
    return enter(answer)
  }

  function over(why: WhyOver) {
    endChallenge(why)
    navigate({ to: '/login', search, replace: true })
  }

  function cancel() {
    endChallenge()
    navigate({ to: '/login', search, replace: true })
  }

  if (!waiting) return null
  if (cleaned && disowning) return <Disown token={cleaned.disownToken} back={() => setDisowning(false)} />
  return (
    <ChallengeStep
      key={waiting.token}
      challenge={waiting}
      passed={passed}
      over={over}
      frame={(parts) => <AuthLayout {...parts} />}
      cancel={
        <QuietButton icon="arrowLeft" onClick={cancel}>
          {signInMessages.backToSignIn()}
        </QuietButton>
      }
    >
      {waiting.otherTeams && (
        <OtherTeams challenge={waiting} offered={waiting.otherTeams} passed={passed} over={over} />
      )}
      {cleaned && (
        <div className={parts.section}>
          <Notice kind="warning" title={secondFactorMessages.cleanedTitle()}>
            <p>{m.cleanedLead()}</p>
            <RemovedList cleaned={cleaned} />
          </Notice>
          <QuietButton onClick={() => setDisowning(true)}>{m.disown()}</QuietButton>
        </div>
      )}
    </ChallengeStep>
  )
}
