import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { isOpen, type OpenSession } from '../../api/contract'
import { asProblem, type Problem } from '../../api/problem'
import { arrivedWith } from '../../arrival'
import { returnToSearch } from '../../navigation/return-to-search'
import { navigate, useSearch } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { ProblemMessage } from '../../ui/form/problem-message'
import stack from '../../ui/stack.module.css'
import { linkWords as words } from '../../words'
import { redeemLink } from './calls'
import { CleanedUp } from './cleaned-up'
import { takeLinkAsked } from './link-asked'
import { SpentLink } from './spent-link'
import { useEnter } from './use-enter'

/**
 * Where a sign-in link leads. Mail scanners open links and run their scripts, so the link is redeemed by a click; without
 * one only where this very browser asked for it a moment ago.
 */
export function VerifyPage() {
  const { returnTo } = useSearch(returnToSearch)
  const token = arrivedWith('/auth/verify', 'token')
  const [asked] = useState(takeLinkAsked)
  const enter = useEnter({ returnTo: returnTo ?? asked?.returnTo })
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [cleaned, setCleaned] = useState<OpenSession | null>(null)
  const started = useRef(false)

  async function redeem() {
    if (!token || started.current) return
    started.current = true
    setBusy(true)
    setProblem(null)
    try {
      const answer = await redeemLink(token)
      if (isOpen(answer) && answer.cleaned) setCleaned(answer)
      else await enter(answer)
    } catch (thrown) {
      started.current = false
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens.
  useEffect(() => {
    if (token && asked) redeem()
  }, [])

  if (cleaned?.cleaned) return <CleanedUp cleaned={cleaned.cleaned} goOn={() => enter(cleaned)} />
  if (!token)
    return (
      <SpentLink title={words.missingTitle} lead={words.missingLead} renew={() => navigate({ to: '/login/link' })} />
    )
  if (problem?.code === 'invalid_token') {
    return (
      <SpentLink
        title={words.spentTitle}
        lead={words.spentLead}
        renew={() => navigate({ to: '/login/link', search: { returnTo } })}
      />
    )
  }
  return (
    <AuthLayout heading={words.verifyTitle} lead={words.verifyLead}>
      <div className={stack.fields}>
        <ProblemMessage problem={problem} />
        <Button fullWidth loading={busy} onClick={redeem}>
          {words.verifySubmit}
        </Button>
        <p className={`${stack.dimmed} ${stack.small}`}>{words.verifyNotMe}</p>
      </div>
    </AuthLayout>
  )
}
