import { Button, Group } from '@mantine/core'
import { type MouseEvent, useEffect, useState } from 'react'
import type { ScimToken } from '../../../api/contract'
import { serviceAddress } from '../../../api/service-address'
import m from '../../../messages/en/scim.json'
import vendors from '../../../messages/en/scim-vendors.json'
import { TileChoice } from '../../../ui/form/tile-choice'
import { Icon } from '../../../ui/icons/icon'
import { SetupSteps } from '../../../ui/layout/setup-steps'
import stack from '../../../ui/layout/stack.module.css'
import { Steps } from '../../../ui/layout/steps'
import { Facts } from '../../../ui/page/facts'
import { Panel } from '../../../ui/page/panel'
import { CopyField } from '../../../ui/secrets/copy-field'
import { VendorLogo } from '../../../ui/values/vendor-logo'
import { useCurrentTeam } from '../../organizations/current-team'
import { FirstRequest } from './first-request'
import type { FirstRequestState } from './use-first-request'
import { useScimSearch } from './use-scim-search'
import { scimBaseUrl, scimVendorLogos, scimVendors } from './vendors'

interface Props {
  tokens: ScimToken[]
  first: FirstRequestState
  create: (event: MouseEvent<HTMLButtonElement>) => void
}

/** The setup of a directory: choose it, configure it with a token, and wait for its first request. */
export function ConnectSteps({ tokens, first, create }: Props) {
  const { vendor } = useScimSearch()
  const [step, setStep] = useState(first.waiting ? 2 : 0)
  const hasToken = tokens.some(({ status }) => status === 'active')
  const isDone = first.title !== undefined
  useEffect(() => {
    if (isDone) setStep(2)
  }, [isDone])
  const name = vendors.name({ vendor })
  return (
    <SetupSteps
      label={m.connect()}
      current={step}
      steps={[
        {
          title: m.stepDirectory(),
          help: step > 0 ? name : m.stepDirectoryHelp(),
          done: step > 0,
          open: () => setStep(0),
        },
        { title: m.stepConfigure({ name }), help: m.stepConfigureHelp(), done: hasToken, open: () => setStep(1) },
        { title: m.stepRequest(), help: m.stepRequestHelp(), done: isDone, open: () => setStep(2) },
      ]}
    >
      {step === 0 && (
        <Panel title={m.connect()} about={m.connectHelp()}>
          <div className={stack.parts}>
            <DirectoryChoice />
            <div>
              <Button onClick={() => setStep(1)}>{m.continue()}</Button>
            </div>
          </div>
        </Panel>
      )}
      {step === 1 && (
        <Panel title={m.stepConfigure({ name })}>
          <div className={stack.parts}>
            <Values token={tokens.find(({ status }) => status === 'active')} create={create} />
            <Group justify="space-between">
              <Button variant="default" onClick={() => setStep(0)}>
                {m.back()}
              </Button>
              <Button variant={hasToken ? 'filled' : 'default'} onClick={() => setStep(2)}>
                {m.continue()}
              </Button>
            </Group>
          </div>
        </Panel>
      )}
      {step === 2 && (
        <Panel title={m.stepRequest()}>
          <div className={stack.parts}>
            <FirstRequest first={first} />
            <div>
              <Button variant="default" onClick={() => setStep(1)}>
                {m.back()}
              </Button>
            </div>
          </div>
        </Panel>
      )}
    </SetupSteps>
  )
}

const options = scimVendors.map((vendor) => {
  const name = vendors.name({ vendor })
  return {
    value: vendor,
    name,
    text: vendors.description({ vendor }),
    picture: <VendorLogo logo={scimVendorLogos[vendor]} name={name} />,
  }
})

function DirectoryChoice() {
  const { search, vendor, choose } = useScimSearch()
  return (
    <TileChoice
      field="directory"
      legend={m.stepDirectory()}
      options={options}
      value={vendor}
      choose={(from) => choose({ ...search, from })}
    />
  )
}

interface ValuesProps {
  /** the newest active token */
  token: ScimToken | undefined
  create: (event: MouseEvent<HTMLButtonElement>) => void
}

function Values({ token, create }: ValuesProps) {
  const { team } = useCurrentTeam()
  const { vendor } = useScimSearch()
  const baseUrl = vendors.baseUrl({ vendor })
  const note = vendors.note({ vendor })
  const fields = vendors
    .fields({ vendor })
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [name = '', ...value] = line.split(': ')
      return { name, value: value.join(': ') }
    })
  return (
    <>
      <section className={stack.tight}>
        <h3 className={stack.subtitle}>{m.instructions({ name: vendors.name({ vendor }) })}</h3>
        <Steps steps={vendors.steps({ vendor }).split('\n')} />
        {note && <p className={`${stack.dimmed} ${stack.small}`}>{note}</p>}
      </section>
      <Facts
        facts={[
          {
            name: baseUrl,
            value: <CopyField label={baseUrl} value={scimBaseUrl(serviceAddress(), team.slug, vendor)} />,
          },
          {
            name: vendors.token({ vendor }),
            value: (
              <span className={stack.row}>
                {token && m.tokenCreated({ name: token.name })}
                <Button variant={token ? 'default' : 'filled'} leftSection={<Icon name="plus" />} onClick={create}>
                  {m.create()}
                </Button>
              </span>
            ),
          },
          ...fields,
        ]}
      />
    </>
  )
}
