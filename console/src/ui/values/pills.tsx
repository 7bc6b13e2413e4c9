import { type ReactNode, useId } from 'react'
import hidden from '../document/hidden.module.css'
import styles from './pills.module.css'

interface Props<Value extends string> {
  legend: string
  /** false if the choice is obvious: the label is then for assistive technology only */
  showLegend?: boolean
  /** as tiles of the same width */
  isGrid?: boolean
  choices: readonly { value: Value; name: string; picture?: ReactNode }[]
  value: Value
  choose: (value: Value) => void
}

/** A choice between a few visible options, which wrap on small screens. */
export function Pills<Value extends string>({
  legend,
  showLegend = false,
  isGrid,
  choices,
  value,
  choose,
}: Props<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.group} data-grid={isGrid || undefined}>
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
          {choice.picture}
          {choice.name}
        </label>
      ))}
    </fieldset>
  )
}
