import type { SamlMetadata } from '../../../api/contract'
import m from '../../../messages/en/sign-in-providers.json'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Facts } from '../../../ui/page/facts'
import { CertificateList } from '../certificate-list'

/** The values of imported metadata, before they are saved. */
export function MetadataFound({ metadata }: { metadata: SamlMetadata }) {
  const { entityId, ssoUrl, sloUrl, certificates, warnings } = metadata
  return (
    <div className={stack.fields}>
      <Notice kind="success" title={m.metadataFound()} />
      <Facts
        facts={[
          { name: m.entityId(), value: entityId },
          { name: m.ssoUrl(), value: ssoUrl },
          ...(sloUrl ? [{ name: m.sloUrl(), value: sloUrl }] : []),
          { name: m.certificates(), value: <CertificateList certificates={certificates} /> },
        ]}
      />
      {warnings.length > 0 && (
        <Notice kind="warning">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Notice>
      )}
    </div>
  )
}
