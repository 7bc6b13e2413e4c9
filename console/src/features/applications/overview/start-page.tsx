import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { serviceAddress } from '../../../api/service-address'
import { CodeBlock } from '../../../ui/code-block'
import { CopyField } from '../../../ui/copy-field'
import { Facts } from '../../../ui/facts'
import { Icon } from '../../../ui/icons/icon'
import { Panel } from '../../../ui/panel'
import { Pills } from '../../../ui/pills'
import stack from '../../../ui/stack.module.css'
import { applicationWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { isForPeople } from '../application-kind'
import { useCurrentApplication } from '../current-application'
import { SamlValues } from '../saml/saml-values'
import { type Stack, snippet, stacks } from '../snippets'
import { tabsOf } from '../tabs'
import { AgentPanel } from './agent-panel'
import { endpoints } from './endpoints'
import { clientSettings, envText } from './env-file'

export function StartPage() {
  const application = useCurrentApplication()
  const { me } = useCurrentTeam()
  const mayTry = tabsOf(application, me.permissions).some(({ tab }) => tab === 'try')
  if (application.type === 'SAML') return <SamlValues />
  return (
    <>
      {application.isAiAgent && <AgentPanel />}
      {mayTry && isForPeople(application) && <TryPanel />}
      <Values />
      <Code />
      <Endpoints />
    </>
  )
}

function TryPanel() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const navigate = useNavigate()
  return (
    <Panel
      title={words.tryPanel}
      about={words.tryPanelAbout}
      action={
        <Button
          leftSection={<Icon name="play" />}
          onClick={() => navigate({ to: '/t/$slug/applications/$id/try', params: { slug: team.slug, id } })}
        >
          {words.tryNow}
        </Button>
      }
    />
  )
}

function Values() {
  const { team, me } = useCurrentTeam()
  const application = useCurrentApplication()
  const settings = clientSettings(application)
  const secret = settings.clientSecret ? (
    <span>
      {words.secretShownOnce}{' '}
      {me.permissions.includes('applications:write') && (
        <Link to="/t/$slug/applications/$id/credentials" params={{ slug: team.slug, id: application.id }}>
          {words.secretLost}
        </Link>
      )}
    </span>
  ) : (
    words.secretNone
  )
  return (
    <Panel title={words.values} about={words.valuesAbout}>
      <div className={stack.parts}>
        <Facts
          facts={[
            { name: words.issuer, value: <CopyField label={words.issuer} value={settings.issuer} /> },
            { name: words.clientId, value: <CopyField label={words.clientId} value={settings.clientId} /> },
            { name: words.clientSecret, value: secret },
          ]}
        />
        <CodeBlock label={words.env} code={envText(settings)} wrap />
      </div>
    </Panel>
  )
}

function Code() {
  const application = useCurrentApplication()
  const [chosen, choose] = useState<Stack>('curl')
  const { name } = stacks.find(({ value }) => value === chosen) ?? stacks[0]
  return (
    <Panel title={words.code} about={words.codeAbout}>
      <div className={stack.fields}>
        <Pills legend={words.stack} choices={stacks} value={chosen} choose={choose} />
        <CodeBlock label={name} code={snippet(chosen, clientSettings(application))} />
      </div>
    </Panel>
  )
}

function Endpoints() {
  const application = useCurrentApplication()
  return (
    <Panel title={words.endpoints} about={words.endpointsAbout}>
      <Facts
        facts={endpoints(application, serviceAddress()).map(({ name, url }) => ({
          name,
          value: <CopyField label={name} value={url} />,
        }))}
      />
    </Panel>
  )
}
