import { Button } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useSession } from '../../api/use-session'
import common from '../../messages/en/common.json'
import m from '../../messages/en/error-page.json'
import { AuthLayout } from '../../ui/auth-layout'
import { CopyField } from '../../ui/copy-field'
import stack from '../../ui/stack.module.css'

const RedirectMismatch = lazy(() =>
  import('../applications/redirect-mismatch').then((page) => ({ default: page.RedirectMismatch })),
)

/** The error page of other parts of the service: cause, request ID and next step. */
export function ErrorPage() {
  const { code, requestId, clientId, redirectUri } = getRouteApi('/error').useSearch()
  const navigate = useNavigate()
  const signedIn = useSession() !== null
  const compares = clientId !== undefined && redirectUri !== undefined
  return (
    <AuthLayout
      heading={m.causeTitle({ code: code ?? '' })}
      lead={m.causeText({ code: code ?? '' })}
      wide={compares && signedIn}
    >
      <div className={stack.fields}>
        {compares && signedIn && (
          <Suspense>
            <RedirectMismatch clientId={clientId} redirectUri={redirectUri} />
          </Suspense>
        )}
        {compares && !signedIn && <p className={`${stack.dimmed} ${stack.small}`}>{m.signInToSee()}</p>}
        {requestId && (
          <div className={stack.tight}>
            <CopyField label={common.requestIdLabel()} value={requestId} />
            <p className={`${stack.dimmed} ${stack.small}`}>{m.requestAbout()}</p>
          </div>
        )}
        {code && (
          <p className={`${stack.dimmed} ${stack.small}`}>
            {m.code()}: <code>{code}</code>
          </p>
        )}
        <Button variant={compares ? 'default' : 'filled'} fullWidth onClick={() => navigate({ to: '/' })}>
          {m.home()}
        </Button>
      </div>
    </AuthLayout>
  )
}
