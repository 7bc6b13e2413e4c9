import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { isOpen, type OpenSession } from '../../../api/contract'
import { asProblem, type Problem } from '../../../api/problem'
import { arrivedWith } from '../../../arrival'
import m from '../../../messages/en/links.json'
import { returnToSearch } from '../../../navigation/return-to-search'
import { Link, navigate, useSearch } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { ProblemMessage } from '../../../ui/form/problem-message'
import parts from '../../../ui/public/parts.module.css'
import { redeemLink } from '../calls'
import { useEnter } from '../use-enter'
import { CleanedUp } from './cleaned-up'
import { takeLinkAsked } from './link-asked'
import { SpentLink } from './spent-link'

/**
 * The page of a sign-in link. Mail scanners open links and run scripts, so a click redeems the link, except in the browser that requested
 * it shortly before.
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
      <SpentLink
        title={m.missingTitle()}
        lead={m.missingLead()}
        renew={() => navigate({ to: '/login/link' })}
        mayBeValid
      />
    )
  if (problem?.code === 'invalid_token') {
    return (
      <SpentLink
        title={m.invalidTitle()}
        lead={m.invalidLead()}
        renew={() => navigate({ to: '/login/link', search: { returnTo } })}
      />
    )
  }
  return (
    <AuthLayout
      heading={m.verifyTitle()}
      lead={m.verifyLead()}
      message={problem && <ProblemMessage problem={problem} />}
      below={
        <>
          <span>{m.notYou()}</span>
          <Link to="/login">{m.otherAccount()}</Link>
        </>
      }
    >
      <Button fullWidth loading={busy} onClick={redeem}>
        {m.signIn()}
      </Button>
      <p className={parts.note}>{m.notRequested()}</p>
    </AuthLayout>
  )
}
