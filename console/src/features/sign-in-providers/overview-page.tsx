import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { serviceAddress } from '../../api/service-address'
import m from '../../messages/en/sign-in-providers.json'
import vendorMessages from '../../messages/en/sign-in-vendors.json'
import stack from '../../ui/layout/stack.module.css'
import { Columns } from '../../ui/page/columns'
import { Panel } from '../../ui/page/panel'
import { CopyField } from '../../ui/secrets/copy-field'
import { useCurrentTeam } from '../organizations/current-team'
import { certificateState } from './certificate-state'
import { CertificatesPanel } from './certificates-panel'
import { useCurrentProvider } from './current-provider'
import { signInsQuery } from './queries'
import { DraftSetup } from './setup/draft-setup'
import { RedirectValues } from './setup/redirect-values'
import { SamlValues } from './setup/saml-values'
import { LastSignInsPanel } from './sign-ins/last-sign-ins-panel'
import { TestPanel } from './sign-ins/test-panel'
import { isTested } from './sign-ins/tested'
import { StatePanel } from './state-panel'
import { vendorOf } from './vendors'

/** The test of a provider, its values for the vendor and its state; the rest of the setup while it is disabled. */
export function OverviewPage() {
  const { me } = useCurrentTeam()
  const provider = useCurrentProvider()
  const { enabled, name, samlMetadataError } = provider
  if (!enabled && me.permissions.includes('sso:write')) return <Setup />
  const isCertificateUrgent = certificateState(provider) !== 'valid' || Boolean(samlMetadataError)
  return (
    <Columns
      side={
        <>
          <StatePanel title={m.state()} />
          {!isCertificateUrgent && <CertificatesPanel />}
          <LastSignInsPanel />
        </>
      }
    >
      {isCertificateUrgent && <CertificatesPanel />}
      <TestPanel title={m.test()} />
      <Panel title={m.valuesFor({ name })}>
        <Values />
      </Panel>
      <LoginUrl />
    </Columns>
  )
}

/** The steps after the provider was saved. */
function Setup() {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  const { id, name } = provider
  const tested = isTested(provider, useQuery(signInsQuery(team.id, id)).data)
  const { step = tested ? 'enable' : 'test' } = getRouteApi('/signed-in/t/$slug/sso/$id/').useSearch()
  const open = (next: 'test' | 'enable') =>
    navigate({ to: '/t/$slug/sso/$id', params: { slug: team.slug, id }, search: { step: next } })
  return (
    <>
      <DraftSetup current={step}>
        {step === 'app' && (
          <Panel title={m.stepApp({ vendor: vendorMessages.place({ vendor: vendorOf(provider) }) })}>
            <div className={stack.parts}>
              <Values />
              <Group justify="flex-end">
                <Button onClick={() => open('test')}>{m.continue()}</Button>
              </Group>
            </div>
          </Panel>
        )}
        {step === 'test' && (
          <>
            <TestPanel title={m.stepTest()} />
            <Group justify="flex-end">
              <Button variant={tested ? 'filled' : 'default'} onClick={() => open('enable')}>
                {m.continue()}
              </Button>
            </Group>
          </>
        )}
        {step === 'enable' && <StatePanel title={m.setUp({ name })} />}
      </DraftSetup>
      <CertificatesPanel />
    </>
  )
}

function Values() {
  const provider = useCurrentProvider()
  const vendor = vendorOf(provider)
  return provider.protocol === 'SAML2' ? (
    <SamlValues teamId={provider.orgId} vendor={vendor} />
  ) : (
    <RedirectValues provider={provider} vendor={vendor} />
  )
}

function LoginUrl() {
  const { id, loginUrl = `${serviceAddress()}/api/v1/sso/oidc/${id}/login` } = useCurrentProvider()
  return (
    <Panel title={m.loginUrl()} about={m.loginUrlHelp()}>
      <CopyField label={m.loginUrl()} value={loginUrl} />
    </Panel>
  )
}
