import { Link } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { Icon } from '../../ui/icons/icon'
import { deviceWords as words } from '../../words'
import styles from './device-page.module.css'

/** The end on this side: the person goes on at the device. */
export function DeviceDone({ result }: { result: 'approved' | 'denied' }) {
  const approved = result === 'approved'
  return (
    <AuthLayout
      heading={approved ? words.approvedTitle : words.deniedTitle}
      emblem={
        <span className={styles.mark} data-result={result}>
          <Icon name={approved ? 'done' : 'shield'} size={40} />
        </span>
      }
      lead={approved ? words.approvedLead : words.deniedLead}
      below={
        <>
          <Link to="/account/apps">{words.review}</Link>
          <span aria-hidden="true">·</span>
          <Link to="/device">{words.connectAnother}</Link>
        </>
      }
    />
  )
}
