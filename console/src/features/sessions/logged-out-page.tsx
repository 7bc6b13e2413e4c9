import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { PendingLogout } from '../../api/contract'
import { boot } from '../../boot'
import { ApplicationLogo } from '../../design/application-logo'
import { AuthLayout } from '../../design/auth-layout'
import { CopyField } from '../../design/copy-field'
import { Notice } from '../../design/notice'
import stack from '../../design/stack.module.css'
import { followable } from '../../navigation/redirect-to'
import { layoutWords, pageWords, signOutWords as words } from '../../words'
import { destination } from '../oidc-provider/destination'

interface Props {
  /** the browser had no session when the page was opened */
  nothingEnded?: boolean
  /** what asked for the sign-out, where nobody has confirmed it */
  request?: PendingLogout | undefined
}

/** The end of a sign-out. Where somebody else did not confirm theirs, it says so: the session here is over all the same. */
export function LoggedOutPage({ nothingEnded = false, request }: Props) {
  const navigate = useNavigate()
  // The page on which a sign-out was confirmed shows this too, where an app took the browser's place.
  const { error, requestId } = useSearch({ from: '/logged-out', shouldThrow: false }) ?? {}
  const cause = error ? words.cause(error) : undefined
  const { name: instance } = boot.instance
  const asker = request?.application
  const back = request?.redirectTo ? followable(request.redirectTo) : null
  const lead = asker ? words.askedAlready(asker.name, instance) : words.notSignedIn(instance)
  return (
    <AuthLayout
      heading={words.loggedOutTitle}
      emblem={asker && <ApplicationLogo id={asker.id} name={asker.name} logoUrl={asker.logoUrl} size={48} />}
      lead={nothingEnded ? lead : words.loggedOutLead(instance)}
    >
      <div className={stack.fields}>
        {cause && (
          <Notice kind="warning" title={cause.title}>
            <p>{cause.text}</p>
          </Notice>
        )}
        {back && (
          <div className={stack.tight}>
            <Button component="a" href={back} rel="noreferrer" h={44} fz="md" fullWidth>
              {words.goBack}
            </Button>
            <p className={`${stack.dimmed} ${stack.small}`}>{words.leadsTo(destination(back))}</p>
          </div>
        )}
        <Button
          variant={back ? 'default' : 'filled'}
          h={44}
          fz="md"
          fullWidth
          onClick={() => navigate({ to: '/login' })}
        >
          {nothingEnded ? words.signIn : words.signInAgain}
        </Button>
        {requestId && (
          <div className={stack.tight}>
            <CopyField label={layoutWords.requestIdLabel} value={requestId} />
            <p className={`${stack.dimmed} ${stack.small}`}>{pageWords.requestAbout}</p>
          </div>
        )}
        {error ? (
          <p className={`${stack.dimmed} ${stack.small}`}>
            {pageWords.code}: <code>{error}</code>
          </p>
        ) : (
          !nothingEnded && <p className={`${stack.dimmed} ${stack.small}`}>{words.loggedOutMore}</p>
        )}
      </div>
    </AuthLayout>
  )
}
