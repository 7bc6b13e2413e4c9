import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RuleTest } from '../../api/contract'
import { explain } from '../../api/explain'
import { asProblem } from '../../api/problem'
import { useDebounced } from '../../ui/use-debounced'
import { tokenWords as words } from '../../words'
import { ruleTestQuery } from './calls'
import { useCurrentConfig } from './current-config'
import { faultOf } from './rule-fault'
import styles from './rule-tester.module.css'

/** What a rule makes of a value, asked of the service itself while both are typed. @param children the field of the value */
export function RuleTester({ draft, children }: { draft: Required<RuleTest>; children: ReactNode }) {
  const { at } = useCurrentConfig()
  const settled = useDebounced(draft)
  const ready = settled.pattern !== '' && settled.input !== ''
  const test = useQuery({
    ...ruleTestQuery(at, settled),
    enabled: ready,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <fieldset className={styles.tester}>
      <legend className={styles.legend}>{words.ruleTry}</legend>
      {children}
      <div aria-live="polite">
        {!ready ? (
          <p className={styles.text}>{words.ruleWaiting}</p>
        ) : test.isError ? (
          <Fault draft={settled} error={test.error} />
        ) : (
          test.data && (
            <>
              <p className={styles.label}>{words.ruleResult}</p>
              <p className={styles.result}>{test.data.result}</p>
              <p className={styles.text}>{test.data.matched ? words.ruleMatched : words.ruleUnmatched}</p>
            </>
          )
        )}
      </div>
    </fieldset>
  )
}

/** What the service finds wrong, and in the text where. */
function Fault({ draft, error }: { draft: Required<RuleTest>; error: unknown }) {
  const problem = asProblem(error)
  const fault = faultOf(problem.errors, draft)
  if (!fault) return <p className={styles.fault}>{explain(problem)}</p>
  const { message, text, place } = fault
  return (
    <>
      <p className={styles.fault}>
        {message} {place !== null && words.ruleFaultAt(place + 1)}
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
