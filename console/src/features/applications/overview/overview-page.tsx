import { useLocalStorage } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { serviceAddress } from '../../../api/service-address'
import m from '../../../messages/en/applications.json'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Facts } from '../../../ui/page/facts'
import { More } from '../../../ui/page/more'
import { Panel } from '../../../ui/page/panel'
import { CodeBlock } from '../../../ui/secrets/code-block'
import { CopyField } from '../../../ui/secrets/copy-field'
import { Pills } from '../../../ui/values/pills'
import { VendorLogo } from '../../../ui/values/vendor-logo'
import { useCurrentTeam } from '../../organizations/current-team'
import { isForPeople } from '../application-kind'
import { useCurrentApplication } from '../current-application'
import { SamlValues } from '../saml/saml-values'
import { type Stack, snippet, stacks } from '../snippets'
import { AgentPanel } from './agent-panel'
import { endpoints } from './endpoints'
import { clientSettings, envText } from './env-file'

/** The values and code that developers need to connect the application. */
export function OverviewPage() {
  const application = useCurrentApplication()
  if (application.type === 'SAML') return <SamlValues />
  return (
    <>
      {application.isAiAgent && <AgentPanel />}
      {isForPeople(application) && application.redirectUris.length === 0 && (
        <Notice kind="warning">
          <p>{m.redirectsMissing()}</p>
        </Notice>
      )}
      <Values />
      <Quickstart />
    </>
  )
}

function Values() {
  const { team, me } = useCurrentTeam()
  const application = useCurrentApplication()
  const settings = clientSettings(application)
  const secret = settings.clientSecret ? (
    <span>
      {m.secretShownOnce()}{' '}
      {me.permissions.includes('applications:write') && (
        <Link to="/t/$slug/applications/$id/settings" params={{ slug: team.slug, id: application.id }}>
          {m.secretLost()}
        </Link>
      )}
    </span>
  ) : (
    m.secretNone()
  )
  return (
    <Panel title={m.values()} about={m.valuesAbout()}>
      <div className={stack.parts}>
        <Facts
          facts={[
            { name: m.issuer(), value: <CopyField label={m.issuer()} value={settings.issuer} /> },
            { name: m.clientId(), value: <CopyField label={m.clientId()} value={settings.clientId} /> },
            { name: m.clientSecret(), value: secret },
          ]}
        />
        <CodeBlock label={m.env()} code={envText(settings)} wrap />
        <More summary={m.endpoints()}>
          <Facts
            facts={endpoints(application, serviceAddress()).map(({ name, url }) => ({
              name,
              value: <CopyField label={name} value={url} />,
            }))}
          />
        </More>
      </div>
    </Panel>
  )
}

const choices = stacks.map(({ value, name, logo }) => ({
  value,
  name,
  picture: <VendorLogo logo={logo} name={name} size={18} />,
}))

function Quickstart() {
  const application = useCurrentApplication()
  const [remembered, choose] = useLocalStorage<Stack>({ key: 'keyward.stack', defaultValue: 'node' })
  const { value, name } = stacks.find((one) => one.value === remembered) ?? stacks[0]
  return (
    <Panel title={m.code()} about={m.codeAbout()}>
      <div className={stack.fields}>
        <Pills legend={m.stack()} choices={choices} value={value} choose={choose} />
        <CodeBlock label={name} code={snippet(value, clientSettings(application))} />
      </div>
    </Panel>
  )
}
