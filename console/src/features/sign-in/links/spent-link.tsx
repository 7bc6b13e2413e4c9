import { Button } from '@mantine/core'
import linksMessages from '../../../messages/en/links.json'
import m from '../../../messages/en/sign-in.json'
import { Link } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'

interface Props {
  title: string
  lead: string
  renew: () => void
}

/** A mailed link that is no longer valid, with a button for a new one. */
export function SpentLink({ title, lead, renew }: Props) {
  return (
    <AuthLayout heading={title} lead={lead} below={<Link to="/login">{m.backToSignIn()}</Link>}>
      <Button fullWidth onClick={renew}>
        {linksMessages.newLink()}
      </Button>
    </AuthLayout>
  )
}
