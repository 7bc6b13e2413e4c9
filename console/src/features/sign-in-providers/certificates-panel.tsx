import m from '../../messages/en/sign-in-providers.json'
import { Notice } from '../../ui/layout/notice'
import stack from '../../ui/layout/stack.module.css'
import { Panel } from '../../ui/page/panel'
import { RelativeTime } from '../../ui/values/relative-time'
import { CertificateList } from './certificate-list'
import { certificateState } from './certificate-state'
import { useCurrentProvider } from './current-provider'

/** The signing certificates of a SAML provider, their expiry and how they are renewed. */
export function CertificatesPanel() {
  const provider = useCurrentProvider()
  const { samlCertificates = [], samlMetadataUrl, samlMetadataCheckedAt, samlMetadataError } = provider
  if (provider.protocol !== 'SAML2') return null
  const state = certificateState(provider)
  return (
    <Panel title={m.certificates()} about={m.certificatesHelp()}>
      <div className={stack.fields}>
        {state !== 'valid' && (
          <Notice kind="warning" title={m.certificateState({ state })}>
            <p>{samlMetadataUrl ? m.renewFromMetadata() : m.renewManually()}</p>
          </Notice>
        )}
        {samlMetadataError && (
          <Notice kind="warning" title={m.metadataFailed()}>
            <p>{samlMetadataError}</p>
          </Notice>
        )}
        <CertificateList certificates={samlCertificates} />
        {samlMetadataUrl && (
          <p className={`${stack.dimmed} ${stack.small}`}>
            {m.metadataUpdates()}{' '}
            {samlMetadataCheckedAt && (
              <>
                {m.metadataCheckedAt()} <RelativeTime at={samlMetadataCheckedAt} />
              </>
            )}
          </p>
        )}
      </div>
    </Panel>
  )
}
