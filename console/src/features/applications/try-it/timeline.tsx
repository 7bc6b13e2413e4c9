import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import m from '../../../messages/en/try-it.json'
import hidden from '../../../ui/document/hidden.module.css'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/layout/notice'
import { StepDetails } from './step-details'
import styles from './timeline.module.css'
import { type Check, type Step, type StepName, stepNames } from './try-steps'

/** The ID of the title of a step, which can receive the focus. */
export function stepId(name: StepName): string {
  return `step-${name}`
}

interface Props {
  steps: Partial<Record<StepName, Step>>
  shown: boolean
  /** links that help to fix a failed step */
  fix: ReactNode
}

/** The steps of a run. Each state has a word, which its icon repeats. */
export function Timeline({ steps, shown, fix }: Props) {
  const ended = Object.values(steps).some(({ state }) => state === 'failed')
  return (
    <ol className={styles.timeline}>
      {stepNames.map((name) => {
        const step = steps[name]
        const state = step?.state ?? 'waiting'
        return (
          <li key={name} className={styles.step}>
            <span className={styles.mark} data-state={state}>
              {state === 'running' ? <Loader size={20} aria-hidden="true" /> : <Icon name={marks[state]} size={20} />}
            </span>
            <div className={styles.content}>
              <div className={styles.head}>
                <h3 id={stepId(name)} tabIndex={-1} className={styles.title}>
                  {m.stepTitle({ step: name })}
                </h3>
                <span className={styles.state}>
                  {m.state({ state: state === 'waiting' && ended ? 'missed' : state })}
                </span>
              </div>
              <p className={styles.text}>
                {step?.skipped ? m.skipped({ reason: step.skipped }) : m.stepText({ step: name })}
              </p>
              {step && <Checks checks={step.checks} />}
              {step?.fault && (
                <Notice kind="error" title={step.fault.code}>
                  {m.fix({ code: step.fault.code }) && <p>{m.fix({ code: step.fault.code })}</p>}
                  {step.fault.description && <p>{step.fault.description}</p>}
                  {fix}
                </Notice>
              )}
              {step && state !== 'running' && <StepDetails step={step} shown={shown} />}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

const marks = { waiting: 'circle', done: 'done', failed: 'alert', skipped: 'minus' } as const

function Checks({ checks }: { checks: Check[] }) {
  if (checks.length === 0) return null
  return (
    <ul className={styles.checks}>
      {checks.map(({ name, passed }) => (
        <li key={name} className={styles.check} data-passed={passed ?? undefined}>
          <Icon name={passed === null ? 'minus' : passed ? 'check' : 'alert'} />
          <span>
            {m.check({ check: name })}
            {passed === null && ` (${m.notSent()})`}
            {passed !== null && <span className={hidden.hidden}>: {passed ? m.passed() : m.notPassed()}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
