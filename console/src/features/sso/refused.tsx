import { Button } from '@mantine/core'
import { navigate } from '../../navigation/router'
import type { SignInSearch } from '../../navigation/sign-in-search'
import { AuthLayout } from '../../ui/auth-layout'
import { CopyField } from '../../ui/copy-field'
import stack from '../../ui/stack.module.css'
import { layoutWords, pageWords, callbackWords as words } from '../../words'

interface Props {
  code: string
  requestId: string | undefined
  /** where the sign-in was to lead */
  search: SignInSearch
}

/** A sign-in by a provider that came to nothing: why, who can help, and the way to try again. */
export function Refused({ code, requestId, search }: Props) {
  const { title, text } = words.cause(code)
  return (
    <AuthLayout heading={title} lead={text}>
      <div className={stack.fields}>
        <Button fullWidth onClick={() => navigate({ to: '/login', search, replace: true })}>
          {words.again}
        </Button>
        {requestId && (
          <div className={stack.tight}>
            <CopyField label={layoutWords.requestIdLabel} value={requestId} />
            <p className={`${stack.dimmed} ${stack.small}`}>{words.requestAbout}</p>
          </div>
        )}
        <p className={`${stack.dimmed} ${stack.small}`}>
          {pageWords.code}: <code>{code}</code>
        </p>
      </div>
    </AuthLayout>
  )
}
