import { serviceAddress } from '../../api/service-address'
import { CopyField } from '../../ui/copy-field'
import { Facts } from '../../ui/facts'
import { Panel } from '../../ui/panel'
import stack from '../../ui/stack.module.css'
import { Steps } from '../../ui/steps'
import { vendorWords, ssoWords as words } from '../../words'
import { certificateState } from './certificate-state'
import { CertificatesPanel } from './certificates-panel'
import { useCurrentProvider } from './current-provider'
import { SamlValues } from './setup/saml-values'
import { TestPanel } from './sign-ins/test-panel'
import { StatePanel } from './state-panel'
import { vendorOf } from './vendors'

/** How the provider stands, and what is left to do: give the vendor our address, test, turn on. */
export function OverviewPage() {
  const provider = useCurrentProvider()
  // What has to be looked after comes first; of a draft, what is still to be done.
  const isUrgent = provider.enabled || certificateState(provider) !== 'fine'
  return (
    <>
      <StatePanel />
      {isUrgent && <CertificatesPanel />}
      <Give />
      <TestPanel />
      {!isUrgent && <CertificatesPanel />}
      <Begin />
    </>
  )
}

function Give() {
  const provider = useCurrentProvider()
  const { id, name, callbackUrl } = provider
  const vendor = vendorWords[vendorOf(provider)]
  if (provider.protocol === 'SAML2')
    return (
      <Panel title={words.giveValues(name)} about={words.giveValuesAbout}>
        <SamlValues teamId={provider.orgId} vendor={vendorOf(provider)} />
      </Panel>
    )
  const oidc = vendor.oidc ?? vendorWords.GENERIC_OIDC.oidc
  if (callbackUrl === undefined || !oidc) return null
  const logout = `${serviceAddress()}/api/v1/sso/oidc/${id}/backchannel-logout`
  return (
    <Panel title={words.give(name)} about={words.giveAbout}>
      <div className={stack.fields}>
        <Steps steps={oidc.redirectSteps} />
        <Facts
          facts={[
            { name: oidc.redirect, value: <CopyField label={oidc.redirect} value={callbackUrl} /> },
            ...(oidc.logout
              ? [
                  {
                    name: oidc.logout,
                    value: (
                      <div className={stack.tight}>
                        <CopyField label={oidc.logout} value={logout} />
                        <p className={`${stack.dimmed} ${stack.small}`}>{words.logout}</p>
                      </div>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </div>
    </Panel>
  )
}

function Begin() {
  const { id, loginUrl = `${serviceAddress()}/api/v1/sso/oidc/${id}/login` } = useCurrentProvider()
  return (
    <Panel title={words.begin} about={words.beginAbout}>
      <CopyField label={words.begin} value={loginUrl} />
    </Panel>
  )
}
