import { serviceAddress } from '../../../api/service-address'
import { CopyField } from '../../../ui/copy-field'
import { DocumentAddress } from '../../../ui/document-address'
import { Facts } from '../../../ui/facts'
import stack from '../../../ui/stack.module.css'
import { samlKeyWords, vendorWords, ssoWords as words } from '../../../words'
import { OurCertificate } from '../../saml-keys/our-certificate'
import type { Vendor } from '../vendors'
import { AttributesToSend } from './attributes-to-send'

/** What a provider of SAML has to know of us, under the names that its vendor has for it. The same for every provider of a team. */
export function SamlValues({ teamId, vendor }: { teamId: string; vendor: Vendor }) {
  const { saml = vendorWords.GENERIC_SAML.saml } = vendorWords[vendor]
  if (!saml) return null
  const { acs, audience, nameIdLabel, nameId, logout, attributes } = saml
  const base = `${serviceAddress()}/api/v1/sso/saml/${teamId}`
  return (
    <Facts
      facts={[
        { name: acs, value: <CopyField label={acs} value={`${base}/acs`} /> },
        { name: audience, value: <CopyField label={audience} value={`${base}/metadata`} /> },
        { name: nameIdLabel, value: nameId },
        ...(logout
          ? [
              {
                name: logout,
                value: (
                  <div className={stack.tight}>
                    <CopyField label={logout} value={`${base}/slo`} />
                    <p className={`${stack.dimmed} ${stack.small}`}>{words.samlLogout}</p>
                  </div>
                ),
              },
            ]
          : []),
        { name: attributes.name, value: <AttributesToSend {...attributes} /> },
        { name: samlKeyWords.ours, value: <OurCertificate teamId={teamId} /> },
        {
          name: words.ourMetadata,
          value: (
            <DocumentAddress
              label={words.ourMetadata}
              value={`${base}/metadata`}
              save={words.saveMetadata}
              file="service-provider-metadata.xml"
            />
          ),
        },
      ]}
    />
  )
}
