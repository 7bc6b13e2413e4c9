import m from '../../../messages/en/device.json'
import { Link } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/auth-layout'
import { Icon } from '../../../ui/icons/icon'
import styles from './device-page.module.css'

/** The result page: the device continues by itself. */
export function DeviceDone({ result }: { result: 'approved' | 'denied' }) {
  const approved = result === 'approved'
  return (
    <AuthLayout
      heading={approved ? m.approvedTitle() : m.deniedTitle()}
      emblem={
        <span className={styles.mark} data-result={result}>
          <Icon name={approved ? 'done' : 'shield'} size={40} />
        </span>
      }
      lead={approved ? m.approvedLead() : m.deniedLead()}
      below={
        <>
          <Link to="/account/apps">{m.review()}</Link>
          <span aria-hidden="true">·</span>
          <Link to="/device">{m.connectAnother()}</Link>
        </>
      }
    />
  )
}
