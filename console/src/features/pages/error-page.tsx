import { Button } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useSession } from '../../api/use-session'
import { navigate, useSearch } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { CopyField } from '../../ui/copy-field'
import stack from '../../ui/stack.module.css'
import { layoutWords, pageWords as words } from '../../words'

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

/** Where other parts of the service send a browser when they cannot go on: why, under which number, and the way on. */
export function ErrorPage() {
  const { code, requestId, clientId, redirectUri } = useSearch(errorSearch)
  const signedIn = useSession() !== null
  const cause = words.cause(code)
  const compares = clientId !== undefined && redirectUri !== undefined
  return (
    <AuthLayout heading={cause.title} lead={cause.text} wide={compares && signedIn}>
      <div className={stack.fields}>
        {compares && signedIn && (
          <Suspense>
            <RedirectMismatch clientId={clientId} redirectUri={redirectUri} />
          </Suspense>
        )}
        {compares && !signedIn && <p className={`${stack.dimmed} ${stack.small}`}>{words.mismatch.signInToSee}</p>}
        {requestId && (
          <div className={stack.tight}>
            <CopyField label={layoutWords.requestIdLabel} value={requestId} />
            <p className={`${stack.dimmed} ${stack.small}`}>{words.requestAbout}</p>
          </div>
        )}
        {code && (
          <p className={`${stack.dimmed} ${stack.small}`}>
            {words.code}: <code>{code}</code>
          </p>
        )}
        <Button variant={compares ? 'default' : 'filled'} fullWidth onClick={() => navigate({ to: '/' })}>
          {words.home}
        </Button>
      </div>
    </AuthLayout>
  )
}
