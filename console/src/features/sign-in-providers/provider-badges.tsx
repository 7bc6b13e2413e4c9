import { Badge } from '@mantine/core'
import type { SsoProvider } from '../../api/contract'
import { Icon } from '../../ui/icons/icon'
import { ssoWords as words } from '../../words'
import { certificateState } from './certificate-state'

/** Whether it is on, what it speaks, and what will soon stop it. */
export function ProviderBadges({ provider }: { provider: SsoProvider }) {
  const { enabled, protocol } = provider
  const certificate = certificateState(provider)
  return (
    <>
      {enabled ? (
        <Badge color="green" leftSection={<Icon name="done" size={14} />}>
          {words.on}
        </Badge>
      ) : (
        <Badge leftSection={<Icon name="circle" size={14} />}>{words.off}</Badge>
      )}
      <Badge>{protocol === 'SAML2' ? words.protocol.SAML2 : words.protocol.OIDC}</Badge>
      {certificate !== 'fine' && (
        <Badge color={certificate === 'ended' ? 'red' : 'yellow'} leftSection={<Icon name="warning" size={14} />}>
          {certificate === 'ended' ? words.certificateEnded : words.certificateEnds}
        </Badge>
      )}
    </>
  )
}
