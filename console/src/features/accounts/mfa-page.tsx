import { Button } from '@mantine/core'
import { useState } from 'react'
import { isOpen, type SessionAnswer } from '../../api/contract'
import { Link, navigate, useSearch } from '../../navigation/router'
import { replacementHref, signInSearch } from '../../navigation/sign-in-search'
import { AuthLayout } from '../../ui/auth-layout'
import { Notice } from '../../ui/notice'
import { challengeWords, signInWords, linkWords as words } from '../../words'
import { challenge, endChallenge, openChallenge, type WhyOver } from './challenge'
import { ChallengeStep } from './challenge-step'
import { Disown } from './disown'
import { OtherTeams } from './other-teams'
import { RemovedList } from './removed-list'
import { useEnter, useFollowSignIn } from './use-enter'

/** Between a sign-in of any kind and the session, for an account that a second factor protects. */
export function MfaPage() {
  const search = useSearch(signInSearch)
  const enter = useEnter(search)
  useFollowSignIn(search)
  const [waiting, setWaiting] = useState(challenge)
  const [disowning, setDisowning] = useState(false)
  const cleaned = waiting?.cleaned

  function passed(answer: SessionAnswer) {
    if (answer.pending) return location.replace(replacementHref(search))
    // Another team requires a factor too.
    if (!isOpen(answer)) return setWaiting(openChallenge(answer))
    endChallenge()
    return enter(answer)
  }

  function over(why: WhyOver) {
    endChallenge(why)
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
      frame={({ heading, lead, message, children }) => (
        <AuthLayout
          heading={heading}
          lead={lead}
          message={message}
          below={
            <Link to="/login" search={search} onClick={() => endChallenge()}>
              {signInWords.backToSignIn}
            </Link>
          }
        >
          {children}
        </AuthLayout>
      )}
    >
      {waiting.otherTeams && (
        <OtherTeams challenge={waiting} offered={waiting.otherTeams} passed={passed} over={over} />
      )}
      {cleaned && (
        <>
          <Notice kind="warning" title={challengeWords.cleanedTitle}>
            <p>{words.cleanedLead}</p>
            <RemovedList cleaned={cleaned} />
          </Notice>
          <Button variant="default" fullWidth onClick={() => setDisowning(true)}>
            {words.disown}
          </Button>
        </>
      )}
    </ChallengeStep>
  )
}
