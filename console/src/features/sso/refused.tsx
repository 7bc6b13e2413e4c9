import { Button } from '@mantine/core'
import common from '../../messages/en/common.json'
import errorPageMessages from '../../messages/en/error-page.json'
import m from '../../messages/en/sso-callback.json'
import { navigate } from '../../navigation/router'
import type { SignInSearch } from '../../navigation/sign-in-search'
import { AuthLayout } from '../../ui/auth-layout'
import { CopyField } from '../../ui/copy-field'
import stack from '../../ui/stack.module.css'

interface Props {
  code: string
  requestId: string | undefined
  /** where the sign-in was to lead */
  search: SignInSearch
}

/** A sign-in by a provider that came to nothing: why, who can help, and the way to try again. */
export function Refused({ code, requestId, search }: Props) {
  return (
    <AuthLayout heading={m.causeTitle({ code })} lead={m.causeText({ code })}>
      <div className={stack.fields}>
        <Button fullWidth onClick={() => navigate({ to: '/login', search, replace: true })}>
          {m.again()}
        </Button>
        {requestId && (
          <div className={stack.tight}>
            <CopyField label={common.requestIdLabel()} value={requestId} />
            <p className={`${stack.dimmed} ${stack.small}`}>{m.requestAbout()}</p>
          </div>
        )}
        <p className={`${stack.dimmed} ${stack.small}`}>
          {errorPageMessages.code()}: <code>{code}</code>
        </p>
      </div>
    </AuthLayout>
  )
}
