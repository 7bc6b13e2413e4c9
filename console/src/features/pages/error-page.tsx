import { Button } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useSession } from '../../api/use-session'
import common from '../../messages/en/common.json'
import m from '../../messages/en/error-page.json'
import { navigate, useSearch } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { CopyField } from '../../ui/copy-field'
import stack from '../../ui/stack.module.css'

interface ErrorSearch {
  code?: string | undefined
  requestId?: string | undefined
  /** of the application whose request was rejected, and the URL that is not registered for it */
  clientId?: string | undefined
  redirectUri?: string | undefined
}

const text = (value: unknown) => (value === undefined ? undefined : String(value))

const errorSearch = (search: Record<string, unknown>): ErrorSearch => ({
  code: text(search.code),
  requestId: text(search.requestId),
  clientId: text(search.clientId),
  redirectUri: text(search.redirectUri),
})

const RedirectMismatch = lazy(async () => {
  const [{ provideQueries }, page] = await Promise.all([
    import('../../sign-in/provide-queries'),
    import('../applications/redirect-mismatch'),
  ])
  return { default: provideQueries(page.RedirectMismatch) }
})

/** The error page of other parts of the service: cause, request ID and next step. */
export function ErrorPage() {
  const { code, requestId, clientId, redirectUri } = useSearch(errorSearch)
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
