import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RuleTest } from '../../../api/contract'
import { explain } from '../../../api/explain'
import { asProblem } from '../../../api/problem'
import m from '../../../messages/en/tokens.json'
import { useDebounced } from '../../../ui/values/use-debounced'
import { ruleTestQuery } from './calls'
import { useCurrentConfig } from './current-config'
import { faultOf } from './rule-fault'
import styles from './rule-tester.module.css'

/** Tests a rule on a value with the service, as both are typed. @param children the field of the value */
export function RuleTester({ draft, children }: { draft: Required<RuleTest>; children: ReactNode }) {
  const { at } = useCurrentConfig()
  const debounced = useDebounced(draft)
  const ready = debounced.pattern !== '' && debounced.input !== ''
  const test = useQuery({
    ...ruleTestQuery(at, debounced),
    enabled: ready,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <fieldset className={styles.tester}>
      <legend className={styles.legend}>{m.ruleTry()}</legend>
      {children}
      <div aria-live="polite">
        {!ready ? (
          <p className={styles.text}>{m.ruleWaiting()}</p>
        ) : test.isError ? (
          <Fault draft={debounced} error={test.error} />
        ) : (
          test.data && (
            <>
              <p className={styles.label}>{m.ruleResult()}</p>
              <p className={styles.result}>{test.data.result}</p>
              <p className={styles.text}>{test.data.matched ? m.ruleMatched() : m.ruleUnmatched()}</p>
            </>
          )
        )}
      </div>
    </fieldset>
  )
}

/** The error of the service, with the position in the pattern or the replacement. */
function Fault({ draft, error }: { draft: Required<RuleTest>; error: unknown }) {
  const problem = asProblem(error)
  const fault = faultOf(problem.errors, draft)
  if (!fault) return <p className={styles.fault}>{explain(problem)}</p>
  const { message, text, place } = fault
  return (
    <>
      <p className={styles.fault}>
        {message} {place !== null && m.ruleFaultAt({ place: place + 1 })}
      </p>
      {place !== null && (
        <p className={styles.result} aria-hidden="true">
          {text.slice(0, place)}
          <mark className={styles.mark}>{text.slice(place, place + 1) || ' '}</mark>
          {text.slice(place + 1)}
        </p>
      )}
    </>
  )
}
