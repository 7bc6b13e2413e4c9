import { useId } from 'react'
import hidden from './hidden.module.css'
import styles from './pills.module.css'

interface Props<Value extends string> {
  legend: string
  /** false where everybody sees what the choice is about; then it is said to those alone who do not see */
  showLegend?: boolean
  choices: readonly { value: Value; name: string }[]
  value: Value
  choose: (value: Value) => void
}

/** One of a few, all in sight; as many lines as the screen needs. */
export function Pills<Value extends string>({ legend, showLegend = false, choices, value, choose }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.group}>
      <legend className={showLegend ? styles.legend : hidden.hidden}>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.pill}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => choose(choice.value)}
          />
          {choice.name}
        </label>
      ))}
    </fieldset>
  )
}
