import m from '../../../messages/en/device.json'
import { Link } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'

/** The result page: the device continues by itself. */
export function DeviceDone({ result }: { result: 'approved' | 'denied' }) {
  const approved = result === 'approved'
  return (
    <AuthLayout
      glyph={approved ? 'check' : 'shield'}
      {...(approved && { glyphKind: 'ok' })}
      heading={approved ? m.approvedTitle() : m.deniedTitle()}
      lead={approved ? m.approvedLead() : m.deniedLead()}
      below={approved ? <Link to="/account/apps">{m.review()}</Link> : <Link to="/device">{m.connectAnother()}</Link>}
    />
  )
}
