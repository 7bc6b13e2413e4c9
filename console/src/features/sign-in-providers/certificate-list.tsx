import type { SamlCertificate } from '../../api/contract'
import m from '../../messages/en/sign-in-providers.json'
import { RelativeTime } from '../../ui/values/relative-time'
import { StatusBadge } from '../../ui/values/status-badge'
import styles from './certificate-list.module.css'
import { certificateState } from './certificate-state'

/** Certificates with their expiry. */
export function CertificateList({ certificates }: { certificates: SamlCertificate[] }) {
  return (
    <ul className={styles.list}>
      {certificates.map(({ subject, fingerprint, validTo }) => (
        <li key={fingerprint} className={styles.certificate}>
          <p className={styles.name}>
            {subject}
            <CertificateBadge expiresAt={validTo} />
          </p>
          <p className={styles.detail}>
            {m.validUntil()} {validTo.slice(0, 10)} (<RelativeTime at={validTo} />)
          </p>
          <p className={styles.detail}>
            {m.fingerprint()} <code>{fingerprint}</code>
          </p>
        </li>
      ))}
    </ul>
  )
}

/** Warns of a certificate that expires soon or has expired. */
export function CertificateBadge({ expiresAt }: { expiresAt: string | undefined }) {
  const state = certificateState({ certificateExpiresAt: expiresAt })
  if (state === 'valid') return null
  return <StatusBadge tone={state === 'expired' ? 'bad' : 'warn'}>{m.certificateState({ state })}</StatusBadge>
}
