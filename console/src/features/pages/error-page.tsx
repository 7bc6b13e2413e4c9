import { Button } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSession } from '../../api/use-session'
import common from '../../messages/en/common.json'
import m from '../../messages/en/error-page.json'
import { type ErrorSearch, errorSearch } from '../../navigation/error-search'
import { navigate, useSearch } from '../../navigation/router'
import { AuthLayout } from '../../ui/document/auth-layout'
import { supportEmail } from '../../ui/document/login-config'
import { CopyDetails, type Detail, Details } from '../../ui/public/details'
import { errorDetails } from '../../ui/public/error-details'
import parts from '../../ui/public/parts.module.css'
import styles from './error-page.module.css'

interface Search extends ErrorSearch {
  /** of the application whose request was rejected, and the URL that is not registered for it */
  clientId?: string | undefined
  redirectUri?: string | undefined
}

const text = (value: unknown) => (value === undefined ? undefined : String(value))

const readSearch = (search: Record<string, unknown>): Search => ({
  ...errorSearch(search, 'code'),
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

/** The error page of other parts of the service. Administrators of the application get more details. */
export function ErrorPage() {
  const { code = '', requestId, clientId, redirectUri } = useSearch(readSearch)
  const signedIn = useSession() !== null
  if (clientId === undefined || redirectUri === undefined) return <ErrorView code={code} requestId={requestId} />
  if (!signedIn) return <ErrorView code={code} requestId={requestId} note={m.signInToSee()} />
  const view = <ErrorView code={code} requestId={requestId} />
  return (
    <Suspense fallback={view}>
      <RedirectMismatch clientId={clientId} redirectUri={redirectUri} requestId={requestId} otherwise={view} />
    </Suspense>
  )
}

interface Props {
  code: string
  requestId: string | undefined
  note?: string
}

/** The cause, the next steps, and the details for the support. */
function ErrorView({ code, requestId, note }: Props) {
  const time = useTimeOfError()
  const details: Detail[] = [
    // Anyone can write a link: a code without its own message is not shown.
    ...errorDetails({ code: m.causeText({ code }) === m.causeText({ code: '' }) ? '' : code, requestId }),
    ...(requestId && time ? [{ name: m.time(), text: time }] : []),
  ]
  const email = supportEmail()
  const home = <Button onClick={() => navigate({ to: '/' })}>{common.home()}</Button>
  return (
    <AuthLayout heading={m.causeTitle({ code })}>
      <div className={styles.text}>
        <p>{m.causeText({ code })}</p>
        {details.length === 0 ? (
          <p>{m.nextStep({ code })}</p>
        ) : (
          <ol className={parts.steps}>
            <li>
              <span>{m.nextStep({ code })}</span>
            </li>
            <li>
              {email ? (
                <span>
                  {m.supportStep({ code })} <a href={`mailto:${email}`}>{email}</a>.
                </span>
              ) : (
                <span>{m.adminStep({ code })}</span>
              )}
            </li>
          </ol>
        )}
      </div>
      {details.length > 0 && (
        <div className={parts.end}>
          <Details details={details} />
        </div>
      )}
      {note && <p className={parts.note}>{note}</p>}
      <div className={`${parts.pair} ${parts.end}`}>
        {details.length > 0 && <CopyDetails details={details} />}
        {home}
      </div>
    </AuthLayout>
  )
}

const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** Returns the time at which the page was opened; nothing if it was reloaded, because the error occurred before. */
function useTimeOfError(): string | undefined {
  const [time, setTime] = useState<string>()
  // Not in the first render, which is the same on the server.
  useEffect(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    if (navigation?.type === 'navigate') setTime(`${minute.format(performance.timeOrigin)} UTC`)
  }, [])
  return time
}
