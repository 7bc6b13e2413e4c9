import { Badge } from '@mantine/core'
import type { SamlCertificate } from '../../api/contract'
import { Icon } from '../../ui/icons/icon'
import { RelativeTime } from '../../ui/relative-time'
import { ssoWords as words } from '../../words'
import styles from './certificate-list.module.css'
import { certificateState } from './certificate-state'

/** Certificates with their dates, and which of them need to be looked after. */
export function CertificateList({ certificates }: { certificates: SamlCertificate[] }) {
  return (
    <ul className={styles.list}>
      {certificates.map(({ subject, fingerprint, validTo }) => {
        const state = certificateState({ certificateExpiresAt: validTo })
        return (
          <li key={fingerprint} className={styles.certificate}>
            <p className={styles.name}>
              {subject}
              {state !== 'fine' && (
                <Badge color={state === 'ended' ? 'red' : 'yellow'} leftSection={<Icon name="warning" size={14} />}>
                  {state === 'ended' ? words.certificateEnded : words.certificateEnds}
                </Badge>
              )}
            </p>
            <p className={styles.detail}>
              {words.validUntil} {validTo.slice(0, 10)} (<RelativeTime at={validTo} />)
            </p>
            <p className={styles.detail}>
              {words.fingerprint} <code>{fingerprint}</code>
            </p>
          </li>
        )
      })}
    </ul>
  )
}
