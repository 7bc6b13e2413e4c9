import { Badge } from '@mantine/core'
import type { SsoProvider } from '../../api/contract'
import m from '../../messages/en/sign-in-providers.json'
import { StatusBadge } from '../../ui/values/status-badge'
import { CertificateBadge } from './certificate-list'

/** The protocol, the state and a warning of the certificate. */
export function ProviderBadges({ provider }: { provider: SsoProvider }) {
  const { enabled, protocol, certificateExpiresAt } = provider
  return (
    <>
      <Badge>{m.protocol({ protocol })}</Badge>
      <StatusBadge tone={enabled ? 'ok' : 'neutral'}>{enabled ? m.enabled() : m.disabled()}</StatusBadge>
      <CertificateBadge expiresAt={certificateExpiresAt} />
    </>
  )
}
