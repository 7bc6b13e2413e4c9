import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { serviceAddress } from '../../api/service-address'
import m from '../../messages/en/sign-in-providers.json'
import vendorMessages from '../../messages/en/sign-in-vendors.json'
import stack from '../../ui/layout/stack.module.css'
import { Panel } from '../../ui/page/panel'
import { CopyField } from '../../ui/secrets/copy-field'
import { useCurrentTeam } from '../organizations/current-team'
import { CertificatesPanel } from './certificates-panel'
import { useCurrentProvider } from './current-provider'
import { signInsQuery } from './queries'
import { DraftSetup } from './setup/draft-setup'
import { RedirectValues } from './setup/redirect-values'
import { SamlValues } from './setup/saml-values'
import { TestPanel } from './sign-ins/test-panel'
import { isTested } from './sign-ins/tested'
import { StatePanel } from './state-panel'
import { vendorOf } from './vendors'

/** The state of a provider, its values for the vendor and its test; the rest of the setup while it is disabled. */
export function OverviewPage() {
  const { me } = useCurrentTeam()
  const { enabled, name } = useCurrentProvider()
  if (!enabled && me.permissions.includes('sso:write')) return <Setup />
  return (
    <>
      <StatePanel title={m.state()} />
      <CertificatesPanel />
      <Panel title={m.valuesFor({ name })}>
        <Values />
      </Panel>
      <TestPanel title={m.test()} />
      <LoginUrl />
    </>
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
