import { useEffect, useRef, useState } from 'react'
import { isOpen, type SessionAnswer, type SessionReplacement } from '../../api/contract'
import { asProblem } from '../../api/problem'
import { session } from '../../api/session'
import { useIsWaiting } from '../../api/use-session'
import common from '../../messages/en/common.json'
import m from '../../messages/en/sso-callback.json'
import { rememberCancelledDeletion } from '../../navigation/cancelled-deletion'
import { dueAfterSignIn } from '../../navigation/due-first'
import { safeReturn } from '../../navigation/return-to'
import { keepDocument, navigate } from '../../navigation/router'
import { afterSignIn, searchOfReturn } from '../../navigation/sign-in-search'
import { OnTheWay } from '../../ui/layout/on-the-way'
import { goOn } from '../sign-in/go-on'
import { endPending, isPending, noteBack } from '../sign-in/providers/pending-provider'
import { openChallenge } from '../sign-in/second-factor/challenge'
import { teamOfTest } from '../sign-in-providers/sign-ins/pending-test'
import { arrivedCallback } from './callback'
import { FailedSignIn } from './failed-sign-in'
import { findTeamOfProvider } from './find-team-of-provider'
import { ReplaceSession } from './replace-session'
import { sessionOfToken } from './session-of-token'
import { acceptReplacement, readReplacement } from './session-replacement'
import { TestEnded } from './test-ended'

interface Refusal {
  code: string
  requestId: string | undefined
}

/**
 * The page at which a sign-in via a provider returns. It takes the session from the cookies. The token of the URL is used only in a browser
 * that started a sign-in and keeps no cookies, so that the link of an attacker can't sign a user in to the attacker's account.
 */
export function SsoCallbackPage() {
  const [{ response, returnTo }] = useState(arrivedCallback)
  const [search] = useState(() => searchOfReturn(returnTo))
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [replacement, setReplacement] = useState<SessionReplacement | null>(null)
  const [lostTest, setLostTest] = useState(false)
  const waiting = useIsWaiting()
  const begun = useRef(false)

  async function enter(token: string | undefined) {
    const asked = isPending()
    if (!(await session.restore())) {
      if (!token || !asked) return navigate({ to: '/error', search: { code: 'sso_unexpected' }, replace: true })
      session.accept(await sessionOfToken(token))
      keepDocument()
    } else if (token) session.notifySignedIn()
    return leave()
  }

  function leave() {
    endPending()
    rememberCancelledDeletion(session.view())
    const due = dueAfterSignIn(session.view(), safeReturn(afterSignIn(search)))
    if (due) return navigate({ ...due, replace: true })
    goOn(search)
  }

  async function askToReplace() {
    const found = await readReplacement()
    if (found.current) return setReplacement(found)
    return decided(await acceptReplacement())
  }

  async function decided(answer: SessionAnswer | null) {
    if (answer && isOpen(answer)) {
      session.accept(answer)
      return leave()
    }
    endPending()
    await session.restore()
    return goOn({})
  }

  async function showTest(providerId: string, runId: string) {
    const slug = teamOfTest(runId) ?? (await findTeamOfProvider(providerId))
    if (!slug) return setLostTest(true)
    return navigate({
      to: `/t/${encodeURIComponent(slug)}/sso/${encodeURIComponent(providerId)}/tests/${encodeURIComponent(runId)}`,
      replace: true,
    })
  }

  async function begin() {
    if (response.kind === 'test') return showTest(response.providerId, response.runId)
    if (response.kind === 'session') return enter(response.token)
    if (response.kind === 'pending') return askToReplace()
    noteBack()
    if (response.kind === 'refused') return setRefusal(response)
    openChallenge(response.answer)
    return navigate({ to: '/mfa', search, replace: true })
  }

  useEffect(() => {
    if (begun.current) return
    begun.current = true
    begin().catch((thrown) => {
      const { code, requestId } = asProblem(thrown)
      setRefusal({ code, requestId })
    })
  })

  if (replacement?.current)
    return <ReplaceSession replacement={{ ...replacement, current: replacement.current }} decided={decided} />
  if (refusal) return <FailedSignIn {...refusal} search={search} />
  if (lostTest) return <TestEnded />
  if (waiting) return <OnTheWay text={common.unreachable()} />
  return <OnTheWay text={response.kind === 'test' ? m.openingReport() : m.signingIn()} />
}
