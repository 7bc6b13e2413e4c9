import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { asProblem } from '../../api/problem'
import { session } from '../../api/session'
import { signOut } from '../../api/sign-out'
import { boot } from '../../boot'
import common from '../../messages/en/common.json'
import m from '../../messages/en/consent.json'
import errorPageMessages from '../../messages/en/error-page.json'
import { passwordDueHref } from '../../navigation/due-first'
import { resumeHref, type SamlRequest, samlSignInHref } from '../../navigation/sign-in-search'
import { AuthLayout } from '../../ui/auth-layout'
import { CopyField } from '../../ui/copy-field'
import { OnTheWay } from '../../ui/on-the-way'
import stack from '../../ui/stack.module.css'
import { samlWords as words } from '../../words'
import { readSamlRequest } from '../accounts/calls'
import { SecondFactorStep } from '../oidc-provider/second-factor-step'
import { teamAnswers } from '../organizations/queries'

const requestQuery = (request: SamlRequest) =>
  queryOptions({
    queryKey: ['saml-request', request.appId, request.id],
    queryFn: () => readSamlRequest(request),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Between a sign-in and an application that asked for it by SAML: asked here is only a second factor that is still due, and whether
 * the user joins the team that added them. */
export function ResumeRequest({ request }: { request: SamlRequest }) {
  const found = useQuery(requestQuery(request))
  const signInDue = found.data?.loginRequired
  const factorDue = found.data && !signInDue && found.data.secondFactorRequired
  const joinDue = found.data?.confirmationRequired === true
  const name = found.data?.application.name ?? boot.application?.name ?? m.unnamed()

  useEffect(() => {
    // A new document each time: the one knows the application and shows the form, the other is the service's own.
    if (signInDue) location.replace(samlSignInHref(request, { fresh: true }))
    else if (found.data && !factorDue && !joinDue) location.replace(resumeHref(request))
  }, [found.data, signInDue, factorDue, joinDue, request])
  const passwordDue = found.isError && asProblem(found.error).code === 'password_change_required'
  useEffect(() => {
    if (passwordDue) location.replace(passwordDueHref(location.pathname + location.search))
  }, [passwordDue])
  // Whoever is signed in by now may be asked something else.
  useEffect(() => session.listen(() => location.reload()), [])

  if (found.isError && !passwordDue) return <NotResumed error={found.error} />
  const notYou = (
    <Button variant="subtle" onClick={() => signOut(samlSignInHref(request)).catch(() => location.assign('/logout'))}>
      {m.notYou()}
    </Button>
  )
  if (found.data && joinDue)
    return <JoinFirst application={name} team={found.data.team} joined={() => found.refetch()} below={notYou} />
  if (!factorDue) return <OnTheWay text={m.redirecting({ application: name })} />
  return <SecondFactorStep application={name} proven={() => found.refetch()} below={notYou} />
}

interface JoinFirstProps {
  application: string
  team: { id: string; name: string }
  joined: () => void
  below: ReactNode
}

/** A team that only added the user learns nothing of them before they have joined it. */
function JoinFirst({ application, team, joined, below }: JoinFirstProps) {
  const join = useMutation({ mutationFn: () => teamAnswers.join(team.id), onSuccess: joined })
  if (join.isError) return <NotResumed error={join.error} />
  return (
    <AuthLayout
      heading={m.joinTitle({ team: team.name })}
      lead={m.joinLead({ application, team: team.name })}
      below={below}
    >
      <Button fullWidth loading={join.isPending} onClick={() => join.mutate()}>
        {m.join()}
      </Button>
    </AuthLayout>
  )
}

function NotResumed({ error }: { error: unknown }) {
  const navigate = useNavigate()
  const { code, requestId } = asProblem(error)
  const { title, text } = words.cause(code)
  return (
    <AuthLayout heading={title} lead={text}>
      <div className={stack.fields}>
        <Button fullWidth onClick={() => navigate({ to: '/' })}>
          {errorPageMessages.home()}
        </Button>
        {requestId && <CopyField label={common.requestIdLabel()} value={requestId} />}
        <p className={`${stack.dimmed} ${stack.small}`}>
          {errorPageMessages.code()}: <code>{code}</code>
        </p>
      </div>
    </AuthLayout>
  )
}
