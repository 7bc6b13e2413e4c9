import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isOpen, type OpenSession } from '../../../api/contract'
import { asProblem } from '../../../api/problem'
import { useSession } from '../../../api/use-session'
import { arrivedWith, INVITATION } from '../../../arrival'
import m from '../../../messages/en/join-team.json'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { OnTheWay } from '../../../ui/layout/on-the-way'
import { LoadError } from '../../../ui/page/load-error'
import { readInvitation } from '../calls'
import { CleanedUp } from '../links/cleaned-up'
import { useEnter } from '../use-enter'
import { InvitationAnswer } from './invitation-answer'
import { SpentInvitation } from './spent-invitation'

/** Errors after which the link is not valid, now or permanently. */
const spent = ['invalid_token', 'invitation_withdrawn', 'team_suspended']

/** The page of an invitation link. */
export function InvitationPage() {
  const token = arrivedWith(INVITATION, 'token')
  const member = useSession()
  const enter = useEnter({})
  const [cleaned, setCleaned] = useState<OpenSession | null>(null)
  const [rejectedBy, setRejectedBy] = useState<string | null>(null)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => readInvitation(token ?? ''),
    enabled: token !== undefined,
    retry: false,
  })
  const refusal = invitation.isError ? asProblem(invitation.error) : null
  const code = rejectedBy ?? (refusal && spent.includes(refusal.code) ? refusal.code : null)

  if (cleaned?.cleaned) return <CleanedUp cleaned={cleaned.cleaned} goOn={() => enter(cleaned)} />
  if (!token) return <SpentInvitation code="missing" />
  if (code) return <SpentInvitation code={code} />
  if (refusal)
    return (
      <AuthLayout heading={m.loading()}>
        <LoadError error={refusal} retry={() => invitation.refetch()} />
      </AuthLayout>
    )
  if (!invitation.data) return <OnTheWay text={m.loading()} />
  return (
    <InvitationAnswer
      token={token}
      invitation={invitation.data}
      member={member?.user.email ?? null}
      rejected={(problem) => spent.includes(problem.code) && setRejectedBy(problem.code)}
      accepted={(answer) => (isOpen(answer) && answer.cleaned ? setCleaned(answer) : enter(answer))}
    />
  )
}
