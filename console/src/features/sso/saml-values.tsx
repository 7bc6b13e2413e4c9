import { serviceAddress } from '../../api/service-address'
import { CopyField } from '../../design/copy-field'
import { Facts } from '../../design/facts'
import { vendorWords, ssoWords as words } from '../../words'
import type { Vendor } from './vendors'

/** What a provider of SAML has to know of us, under the names that its vendor has for it. The same for every provider of a team. */
export function SamlValues({ teamId, vendor }: { teamId: string; vendor: Vendor }) {
  const { saml = vendorWords.GENERIC_SAML.saml } = vendorWords[vendor]
  if (!saml) return null
  const base = `${serviceAddress()}/api/v1/sso/saml/${teamId}`
  return (
    <Facts
      facts={[
        { name: saml.acs, value: <CopyField label={saml.acs} value={`${base}/acs`} /> },
        { name: saml.audience, value: <CopyField label={saml.audience} value={`${base}/metadata`} /> },
        { name: saml.nameIdLabel, value: saml.nameId },
        { name: words.ourMetadata, value: <CopyField label={words.ourMetadata} value={`${base}/metadata`} /> },
      ]}
    />
  )
}
