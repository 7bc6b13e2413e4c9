import { Button } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { AuthLayout } from '../../design/auth-layout'
import { CopyField } from '../../design/copy-field'
import stack from '../../design/stack.module.css'
import { layoutWords, pageWords as words } from '../../words'

/** Where other parts of the service send a browser when they cannot go on: why, under which number, and the way on. */
export function ErrorPage() {
  const { code, requestId } = getRouteApi('/error').useSearch()
  const navigate = useNavigate()
  const cause = words.cause(code)
  return (
    <AuthLayout heading={cause.title} lead={cause.text}>
      <div className={stack.fields}>
        {requestId && (
          <div className={stack.tight}>
            <CopyField label={layoutWords.requestIdLabel} value={requestId} />
            <p className={`${stack.dimmed} ${stack.small}`}>{words.requestAbout}</p>
          </div>
        )}
        <Button h={44} fz="md" fullWidth onClick={() => navigate({ to: '/' })}>
          {words.home}
        </Button>
      </div>
    </AuthLayout>
  )
}
