import { Button } from '@mantine/core'
import m from '../../messages/en/sso-callback.json'
import { navigate } from '../../navigation/router'
import type { SignInSearch } from '../../navigation/sign-in-search'
import { AuthLayout } from '../../ui/document/auth-layout'
import { CopyDetails, Details } from '../../ui/public/details'
import { errorDetails } from '../../ui/public/error-details'
import parts from '../../ui/public/parts.module.css'

interface Props {
  code: string
  requestId: string | undefined
  /** where the sign-in was to lead */
  search: SignInSearch
}

/** A failed sign-in via a provider: the cause, the next step, and the details for the support. */
export function FailedSignIn({ code, requestId, search }: Props) {
  const details = errorDetails({ code, requestId })
  return (
    <AuthLayout heading={m.causeTitle({ code })}>
      <p>{m.causeText({ code })}</p>
      <div className={parts.end}>
        <Details details={details} />
      </div>
      <p className={parts.note}>{m.requestAbout()}</p>
      <div className={`${parts.pair} ${parts.end}`}>
        <CopyDetails details={details} />
        <Button onClick={() => navigate({ to: '/login', search, replace: true })}>{m.again()}</Button>
      </div>
    </AuthLayout>
  )
}
