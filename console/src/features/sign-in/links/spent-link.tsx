import { Button } from '@mantine/core'
import { useSession } from '../../../api/use-session'
import linksMessages from '../../../messages/en/links.json'
import m from '../../../messages/en/sign-in.json'
import { Link } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'

interface Props {
  title: string
  lead: string
  renew: () => void
  /** the label of the button, if it does not request a link */
  renewLabel?: string
  /** whether the mailed link may still work, so that a new one is the second choice */
  mayBeValid?: boolean
}

/** A mailed link that is no longer valid, with a button for a new one. */
export function SpentLink({ title, lead, renew, renewLabel = linksMessages.newLink(), mayBeValid = false }: Props) {
  const signedIn = useSession() !== null
  return (
    <AuthLayout heading={title} lead={lead} below={!signedIn && <Link to="/login">{m.backToSignIn()}</Link>}>
      <Button fullWidth variant={mayBeValid ? 'default' : 'filled'} onClick={renew}>
        {renewLabel}
      </Button>
    </AuthLayout>
  )
}
