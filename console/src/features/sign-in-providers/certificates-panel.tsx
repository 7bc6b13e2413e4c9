import { Notice } from '../../ui/notice'
import { Panel } from '../../ui/panel'
import { RelativeTime } from '../../ui/relative-time'
import stack from '../../ui/stack.module.css'
import { ssoWords as words } from '../../words'
import { CertificateList } from './certificate-list'
import { certificateState } from './certificate-state'
import { useCurrentProvider } from './current-provider'

/** By what a provider of SAML proves its messages, until when, and where new ones come from. */
export function CertificatesPanel() {
  const provider = useCurrentProvider()
  const { samlCertificates = [], samlMetadataUrl, samlMetadataCheckedAt, samlMetadataError } = provider
  if (provider.protocol !== 'SAML2') return null
  const state = certificateState(provider)
  return (
    <Panel title={words.certificates} about={words.certificatesAbout}>
      <div className={stack.fields}>
        {state !== 'fine' && (
          <Notice kind="warning" title={state === 'ended' ? words.certificateEnded : words.certificateEnds}>
            <p>{samlMetadataUrl ? words.renewByMetadata : words.renewByHand}</p>
          </Notice>
        )}
        {samlMetadataError && (
          <Notice kind="warning" title={words.metadataFailed}>
            <p>{samlMetadataError}</p>
          </Notice>
        )}
        <CertificateList certificates={samlCertificates} />
        {samlMetadataUrl && (
          <p className={`${stack.dimmed} ${stack.small}`}>
            {words.followsMetadata}{' '}
            {samlMetadataCheckedAt && (
              <>
                {words.checkedAt} <RelativeTime at={samlMetadataCheckedAt} />
              </>
            )}
          </p>
        )}
      </div>
    </Panel>
  )
}
