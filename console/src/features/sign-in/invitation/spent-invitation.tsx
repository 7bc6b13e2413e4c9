import m from '../../../messages/en/join-team.json'
import linksMessages from '../../../messages/en/links.json'
import signInMessages from '../../../messages/en/sign-in.json'
import { Link } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'

const leads: Record<string, string> = {
  missing: m.missingLead(),
  invitation_withdrawn: m.withdrawnLead(),
  team_suspended: m.suspendedLead(),
}

/** An invitation that is not valid, with the next step. */
export function SpentInvitation({ code }: { code: string }) {
  return (
    <AuthLayout
      heading={code === 'missing' ? linksMessages.missingTitle() : m.invalidTitle()}
      lead={leads[code] ?? m.invalidLead()}
      below={<Link to="/login">{signInMessages.backToSignIn()}</Link>}
    />
  )
}
