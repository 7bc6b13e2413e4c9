import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { asProblem } from '../../api/problem'
import { session } from '../../api/session'
import { signOut } from '../../api/sign-out'
import { boot } from '../../boot'
import common from '../../messages/en/common.json'
import consent from '../../messages/en/consent.json'
import m from '../../messages/en/saml-sign-in.json'
import { passwordDueHref } from '../../navigation/due-first'
import { navigate } from '../../navigation/router'
import { resumeHref, type SamlRequest, samlSignInHref } from '../../navigation/sign-in-search'
import { AuthLayout } from '../../ui/document/auth-layout'
import { OnTheWay } from '../../ui/layout/on-the-way'
import { CopyDetails, Details } from '../../ui/public/details'
import { errorDetails } from '../../ui/public/error-details'
import parts from '../../ui/public/parts.module.css'
import { teamAnswers } from '../organizations/queries'
import { readSamlRequest } from '../sign-in/calls'
import { SecondFactorStep } from '../sign-in/consent/second-factor-step'

const requestQuery = (request: SamlRequest) =>
  queryOptions({
    queryKey: ['saml-request', request.appId, request.id],
    queryFn: () => readSamlRequest(request),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Continues a SAML request after the sign-in. Asks for a second factor that is due, and whether the user joins the team. */
export function ResumeRequest({ request }: { request: SamlRequest }) {
  const found = useQuery(requestQuery(request))
  const signInDue = found.data?.loginRequired
  const factorDue = found.data && !signInDue && found.data.secondFactorRequired
  const joinDue = found.data?.confirmationRequired === true
  const name = found.data?.application.name ?? boot.application?.name ?? consent.unnamed()

  useEffect(() => {
    // Both are new documents: the sign-in page, and the response of the service.
    if (signInDue) location.replace(samlSignInHref(request, { fresh: true }))
    else if (found.data && !factorDue && !joinDue) location.replace(resumeHref(request))
  }, [found.data, signInDue, factorDue, joinDue, request])
  const passwordDue = found.isError && asProblem(found.error).code === 'password_change_required'
  useEffect(() => {
    if (passwordDue) location.replace(passwordDueHref(location.pathname + location.search))
  }, [passwordDue])
  // Another user may have to complete other steps.
  useEffect(() => session.listen(() => location.reload()), [])

  if (found.isError && !passwordDue) return <NotResumed error={found.error} />
  const notYou = (
    <button type="button" onClick={() => signOut(samlSignInHref(request)).catch(() => location.assign('/logout'))}>
      {consent.notYou()}
    </button>
  )
  if (found.data && joinDue)
    return <JoinFirst application={name} team={found.data.team} joined={() => found.refetch()} below={notYou} />
  if (!factorDue) return <OnTheWay text={consent.redirecting({ application: name })} />
  return <SecondFactorStep application={name} proven={() => found.refetch()} below={notYou} />
}

interface JoinFirstProps {
  application: string
  team: { id: string; name: string }
  joined: () => void
  below: ReactNode
}

/** A team that added the user receives no data about them before they join. */
function JoinFirst({ application, team, joined, below }: JoinFirstProps) {
  const join = useMutation({ mutationFn: () => teamAnswers.join(team.id), onSuccess: joined })
  if (join.isError) return <NotResumed error={join.error} />
  return (
    <AuthLayout
      heading={consent.joinTitle({ team: team.name })}
      lead={consent.joinLead({ application, team: team.name })}
      below={below}
    >
      <Button fullWidth loading={join.isPending} onClick={() => join.mutate()}>
        {consent.join()}
      </Button>
    </AuthLayout>
  )
}

function NotResumed({ error }: { error: unknown }) {
  const { code, requestId } = asProblem(error)
  const heading = m.causeTitle({ code })
  const lead = m.causeText({ code })
  // The user can resolve it without the support.
  if (code === 'saml_request_not_found')
    return (
      <AuthLayout heading={heading} lead={lead}>
        <Button fullWidth onClick={() => navigate({ to: '/' })}>
          {common.home()}
        </Button>
      </AuthLayout>
    )
  const details = errorDetails({ code, requestId })
  return (
    <AuthLayout heading={heading} lead={lead}>
      <Details details={details} />
      <div className={`${parts.pair} ${parts.end}`}>
        <CopyDetails details={details} />
        <Button onClick={() => navigate({ to: '/' })}>{common.home()}</Button>
      </div>
    </AuthLayout>
  )
}
