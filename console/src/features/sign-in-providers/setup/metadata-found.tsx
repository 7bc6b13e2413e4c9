import type { SamlMetadata } from '../../../api/contract'
import { Facts } from '../../../ui/facts'
import { Notice } from '../../../ui/notice'
import stack from '../../../ui/stack.module.css'
import { ssoWords as words } from '../../../words'
import { CertificateList } from '../certificate-list'

/** What metadata say, before anything of it is saved. */
export function MetadataFound({ facts }: { facts: SamlMetadata }) {
  const { entityId, ssoUrl, sloUrl, certificates, warnings } = facts
  return (
    <div className={stack.fields}>
      <Notice kind="success" title={words.metadataFound} />
      <Facts
        facts={[
          { name: words.entityId, value: entityId },
          { name: words.ssoUrl, value: ssoUrl },
          ...(sloUrl ? [{ name: words.sloUrl, value: sloUrl }] : []),
          { name: words.certificates, value: <CertificateList certificates={certificates} /> },
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
