import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { asProblem } from '../../api/problem'
import { session } from '../../api/session'
import { signOut } from '../../api/sign-out'
import { boot } from '../../boot'
import { AuthLayout } from '../../design/auth-layout'
import { CopyField } from '../../design/copy-field'
import { OnTheWay } from '../../design/on-the-way'
import stack from '../../design/stack.module.css'
import { resumeHref, type SamlRequest, samlSignInHref } from '../../navigation/sign-in-search'
import { consentWords, layoutWords, pageWords, samlWords as words } from '../../words'
import { readSamlRequest } from '../accounts/calls'
import { SecondFactorStep } from '../oidc-provider/second-factor-step'

const requestQuery = (request: SamlRequest) =>
  queryOptions({
    queryKey: ['saml-request', request.appId, request.id],
    queryFn: () => readSamlRequest(request),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Between a sign-in and an application that asked for it by SAML: nothing is asked here but a second factor that is still due. */
export function ResumeRequest({ request }: { request: SamlRequest }) {
  const found = useQuery(requestQuery(request))
  const signInDue = found.data?.loginRequired
  const factorDue = found.data && !signInDue && found.data.secondFactorRequired
  const name = found.data?.application.name ?? boot.application?.name ?? consentWords.unnamed

  useEffect(() => {
    // A new document each time: the one knows the application and shows the form, the other is the service's own.
    if (signInDue) location.replace(samlSignInHref(request, { fresh: true }))
    else if (found.data && !factorDue) location.replace(resumeHref(request))
  }, [found.data, signInDue, factorDue, request])
  // Whoever is signed in by now may be asked something else.
  useEffect(() => session.listen(() => location.reload()), [])

  if (found.isError) return <NotResumed error={found.error} />
  if (!factorDue) return <OnTheWay text={consentWords.onTheWay(name)} />
  return (
    <SecondFactorStep
      application={name}
      proven={() => found.refetch()}
      below={
        <Button
          variant="subtle"
          onClick={() => signOut(samlSignInHref(request)).catch(() => location.assign('/logout'))}
        >
          {consentWords.notYou}
        </Button>
      }
    />
  )
}

function NotResumed({ error }: { error: unknown }) {
  const navigate = useNavigate()
  const { code, requestId } = asProblem(error)
  const { title, text } = words.cause(code)
  return (
    <AuthLayout heading={title} lead={text}>
      <div className={stack.fields}>
        <Button h={44} fz="md" fullWidth onClick={() => navigate({ to: '/' })}>
          {pageWords.home}
        </Button>
        {requestId && <CopyField label={layoutWords.requestIdLabel} value={requestId} />}
        <p className={`${stack.dimmed} ${stack.small}`}>
          {pageWords.code}: <code>{code}</code>
        </p>
      </div>
    </AuthLayout>
  )
}
