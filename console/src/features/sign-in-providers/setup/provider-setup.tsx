import type { ReactNode } from 'react'
import m from '../../../messages/en/sign-in-providers.json'
import vendorMessages from '../../../messages/en/sign-in-vendors.json'
import { SetupSteps } from '../../../ui/layout/setup-steps'
import type { Protocol, Vendor } from '../vendors'

const STAGES = ['provider', 'app', 'values', 'test', 'enable'] as const

export type SetupStage = (typeof STAGES)[number]

interface Props {
  vendor: Vendor
  protocol: Protocol
  current: SetupStage
  done: readonly SetupStage[]
  open: (stage: SetupStage) => void
  /** the steps that the list can open */
  opens: readonly SetupStage[]
  children: ReactNode
}

/** The steps of the setup, numbered before and after the provider is saved. */
export function ProviderSetup({ vendor, protocol, current, done, open, opens, children }: Props) {
  const place = vendorMessages.place({ vendor })
  const texts: Record<SetupStage, [title: string, help: string]> = {
    provider: [m.stepProvider(), current === 'provider' ? m.stepProviderHelp() : vendorMessages.name({ vendor })],
    app: [m.stepApp({ vendor: place }), m.stepAppHelp()],
    values: [m.stepValues({ vendor: place }), m.stepValuesHelp({ protocol })],
    test: [m.stepTest(), done.includes('test') ? m.stepTestPassed() : m.stepTestHelp()],
    enable: [m.stepEnable(), m.stepEnableHelp()],
  }
  return (
    <SetupSteps
      label={m.newTitle()}
      current={STAGES.indexOf(current)}
      steps={STAGES.map((stage) => {
        const [title, help] = texts[stage]
        return { title, help, done: done.includes(stage), open: opens.includes(stage) ? () => open(stage) : undefined }
      })}
    >
      {children}
    </SetupSteps>
  )
}
