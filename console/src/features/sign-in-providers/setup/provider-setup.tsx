import type { ReactNode } from 'react'
import m from '../../../messages/en/sign-in-providers.json'
import vendorMessages from '../../../messages/en/sign-in-vendors.json'
import { SetupSteps } from '../../../ui/setup-steps'
import type { Protocol, Vendor } from '../vendors'

const STAGES = {
  OIDC: ['provider', 'app', 'values', 'redirect', 'test', 'enable'],
  SAML2: ['provider', 'app', 'values', 'test', 'enable'],
} as const

export type SetupStage = (typeof STAGES)[Protocol][number]

interface Props {
  vendor: Vendor
  protocol: Protocol
  current: SetupStage
  done: readonly SetupStage[]
  open: (stage: SetupStage) => void
  /** finished steps that can't be opened again */
  closed?: readonly SetupStage[]
  children: ReactNode
}

/** The steps of the setup, numbered before and after the provider is saved. */
export function ProviderSetup({ vendor, protocol, current, done, open, closed = [], children }: Props) {
  const stages: readonly SetupStage[] = STAGES[protocol]
  const place = vendorMessages.place({ vendor })
  const texts: Record<SetupStage, [title: string, help: string]> = {
    provider: [m.stepProvider(), current === 'provider' ? m.stepProviderHelp() : vendorMessages.name({ vendor })],
    app: [m.stepApp({ vendor: place }), m.stepAppHelp()],
    values: [m.stepValues({ vendor: place }), m.stepValuesHelp({ protocol })],
    redirect: [m.stepRedirect(), m.stepRedirectHelp()],
    test: [m.stepTest(), done.includes('test') ? m.stepTestPassed() : m.stepTestHelp()],
    enable: [m.stepEnable(), m.stepEnableHelp()],
  }
  return (
    <SetupSteps
      label={m.newTitle()}
      current={stages.indexOf(current)}
      steps={stages.map((stage) => {
        const [title, help] = texts[stage]
        const isDone = done.includes(stage)
        return { title, help, done: isDone, open: isDone && !closed.includes(stage) ? () => open(stage) : undefined }
      })}
    >
      {children}
    </SetupSteps>
  )
}
