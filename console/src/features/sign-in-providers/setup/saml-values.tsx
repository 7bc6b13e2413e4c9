import { serviceAddress } from '../../../api/service-address'
import keys from '../../../messages/en/saml-keys.json'
import m from '../../../messages/en/sign-in-providers.json'
import vendorMessages from '../../../messages/en/sign-in-vendors.json'
import { DocumentAddress } from '../../../ui/document/document-address'
import stack from '../../../ui/layout/stack.module.css'
import { Facts } from '../../../ui/page/facts'
import { CopyField } from '../../../ui/secrets/copy-field'
import { OurCertificate } from '../../applications/keys/our-certificate'
import type { Vendor } from '../vendors'
import { AttributesToSend } from './attributes-to-send'

/** The values of Keyward for a SAML provider, under the names that its vendor uses. The same for all providers of a team. */
export function SamlValues({ teamId, vendor }: { teamId: string; vendor: Vendor }) {
  const acs = vendorMessages.acs({ vendor })
  const audience = vendorMessages.audience({ vendor })
  const logout = vendorMessages.samlLogout({ vendor })
  const base = `${serviceAddress()}/api/v1/sso/saml/${teamId}`
  return (
    <Facts
      facts={[
        { name: acs, value: <CopyField label={acs} value={`${base}/acs`} /> },
        { name: audience, value: <CopyField label={audience} value={`${base}/metadata`} /> },
        { name: vendorMessages.nameIdLabel({ vendor }), value: vendorMessages.nameId({ vendor }) },
        ...(logout
          ? [
              {
                name: logout,
                value: (
                  <div className={stack.tight}>
                    <CopyField label={logout} value={`${base}/slo`} />
                    <p className={`${stack.dimmed} ${stack.small}`}>{m.samlLogoutHelp()}</p>
                  </div>
                ),
              },
            ]
          : []),
        { name: vendorMessages.attributes({ vendor }), value: <AttributesToSend vendor={vendor} /> },
        { name: keys.ours(), value: <OurCertificate teamId={teamId} /> },
        {
          name: m.ourMetadata(),
          value: (
            <DocumentAddress
              label={m.ourMetadata()}
              value={`${base}/metadata`}
              save={m.saveMetadata()}
              file="service-provider-metadata.xml"
            />
          ),
        },
      ]}
    />
  )
}
