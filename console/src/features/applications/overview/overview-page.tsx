import { Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { serviceAddress } from '../../../api/service-address'
import m from '../../../messages/en/applications.json'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Columns } from '../../../ui/page/columns'
import { Facts } from '../../../ui/page/facts'
import { More } from '../../../ui/page/more'
import { Panel } from '../../../ui/page/panel'
import { CodeBlock } from '../../../ui/secrets/code-block'
import { CopyField } from '../../../ui/secrets/copy-field'
import { useCopy } from '../../../ui/secrets/use-copy'
import { Pills } from '../../../ui/values/pills'
import { exactDate } from '../../../ui/values/time'
import { VendorLogo } from '../../../ui/values/vendor-logo'
import { useCurrentTeam } from '../../organizations/current-team'
import { isForPeople } from '../application-kind'
import { useCurrentApplication } from '../current-application'
import { SamlValues } from '../saml/saml-values'
import { redirectOf, type Stack, snippet, stackInfo, stacksFor } from '../snippets'
import { highlight } from '../snippets/highlight'
import { AccessPanel } from './access-panel'
import { AgentPanel } from './agent-panel'
import { endpoints } from './endpoints'
import { type ClientSettings, clientSettings, envText } from './env-file'
import { LastSignInsPanel } from './last-sign-ins-panel'
import styles from './overview.module.css'
import { SignInsPanel } from './sign-ins-panel'

/** The values and code that developers need to connect the application, and its use beside them. */
export function OverviewPage() {
  const { me } = useCurrentTeam()
  const application = useCurrentApplication()
  const hasUsers = application.type === 'SAML' || isForPeople(application)
  const mayReadLog = me.permissions.includes('audit:read')
  if (!hasUsers && !mayReadLog) return <Connection />
  return (
    <Columns
      side={
        <>
          {mayReadLog && <SignInsPanel />}
          {mayReadLog && hasUsers && <LastSignInsPanel />}
          {hasUsers && <AccessPanel />}
        </>
      }
    >
      <Connection />
    </Columns>
  )
}

function Connection() {
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
  const application = useCurrentApplication()
  const settings = clientSettings(application)
  const all = endpoints(application, serviceAddress())
  return (
    <Panel title={m.values()} action={<CopyEnv text={envText(settings)} />}>
      <div className={stack.tight}>
        <Facts
          facts={[
            { name: m.issuer(), value: <CopyField label={m.issuer()} value={settings.issuer} /> },
            { name: m.clientId(), value: <CopyField label={m.clientId()} value={settings.clientId} /> },
            { name: m.clientSecret(), value: settings.clientSecret ? <Secret /> : m.secretNone() },
          ]}
        />
        <More summary={m.endpoints({ count: all.length })}>
          <Facts facts={all.map(({ name, url }) => ({ name, value: <CopyField label={name} value={url} /> }))} />
        </More>
      </div>
    </Panel>
  )
}

function CopyEnv({ text }: { text: string }) {
  const { copy, done } = useCopy(m.env(), text)
  return (
    <Button variant="default" size="compact-md" leftSection={<Icon name={done ? 'check' : 'copy'} />} onClick={copy}>
      {m.copyEnv()}
    </Button>
  )
}

function Secret() {
  const { team, me } = useCurrentTeam()
  const { id, createdAt, secretRotatedAt } = useCurrentApplication()
  return (
    <span className={styles.secret}>
      <span>
        {m.secretHidden()}{' '}
        <span className={stack.dimmed}>{m.secretCreated({ day: exactDate(secretRotatedAt ?? createdAt) })}</span>
      </span>
      {me.permissions.includes('applications:write') && (
        <Link to="/t/$slug/applications/$id/settings" params={{ slug: team.slug, id }}>
          {m.secretLost()}
        </Link>
      )}
    </span>
  )
}

function Quickstart() {
  const application = useCurrentApplication()
  const [remembered, choose] = useLocalStorage<Stack | null>({ key: 'keyward.stack', defaultValue: null })
  const settings = clientSettings(application)
  const stacks = stacksFor(settings)
  const value = remembered && stacks.includes(remembered) ? remembered : settings.clientSecret ? 'node' : 'react'
  const { file, comment } = stackInfo(value)
  const code = snippet(value, settings)
  return (
    <Panel title={m.code()} about={code.includes('OIDC_') && m.codeAbout()}>
      <div className={stack.fields}>
        <Pills legend={m.stack()} isGrid choices={stacks.map(choiceOf)} value={value} choose={choose} />
        <CodeBlock label={file} code={code}>
          {highlight(code, comment)}
        </CodeBlock>
        <RedirectCheck stack={value} settings={settings} />
      </div>
    </Panel>
  )
}

function choiceOf(value: Stack) {
  const { name, logo } = stackInfo(value)
  return { value, name, picture: <VendorLogo logo={logo} name={name} size={18} /> }
}

/** Whether the application accepts the redirect URL of the code. */
function RedirectCheck({ stack: value, settings }: { stack: Stack; settings: ClientSettings }) {
  const { team } = useCurrentTeam()
  const application = useCurrentApplication()
  const redirect = redirectOf(value, settings, application)
  if (!redirect) return null
  const { uri, isRegistered } = redirect
  return (
    <p className={styles.redirect} data-registered={isRegistered || undefined}>
      <Icon name={isRegistered ? 'check' : 'warning'} />
      <span>
        <code>{uri}</code> {m.redirectState({ state: isRegistered ? 'registered' : 'missing' })}{' '}
        {!isRegistered && (
          <Link to="/t/$slug/applications/$id/settings" params={{ slug: team.slug, id: application.id }}>
            {m.redirectAdd()}
          </Link>
        )}
      </span>
    </p>
  )
}
