import { Link } from '@tanstack/react-router'
import { AuthLayout } from '../../design/auth-layout'
import { Notice } from '../../design/notice'
import { signInWords as words } from '../../words'

/** Tells why signing in stops here. The factors themselves come with the pages that enrol them. */
export function MfaPage() {
  return (
    <AuthLayout heading={words.mfaTitle} lead={words.mfaLead} below={<Link to="/login">{words.backToSignIn}</Link>}>
      <Notice kind="warning">
        <p>{words.mfaText}</p>
      </Notice>
    </AuthLayout>
  )
}
