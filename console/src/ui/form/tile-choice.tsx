import { type ReactNode, useId } from 'react'
import { Icon, type IconName } from '../icons/icon'
import styles from './tiles.module.css'

export interface TileOption<Value extends string> {
  value: Value
  icon?: IconName
  /** in place of an icon */
  picture?: ReactNode
  name: string
  text: string
}

interface TileChoiceProps<Value extends string> {
  /** names the group of radio buttons */
  field: string
  legend: string
  options: readonly TileOption<Value>[]
  value: Value
  choose: (value: Value) => void
}

/** Radio buttons as tiles, each with a description. */
export function TileChoice<Value extends string>({ field, legend, options, value, choose }: TileChoiceProps<Value>) {
  const id = useId()
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.tiles}>
        {options.map((option) => (
          <label key={option.value} className={styles.tile}>
            <input
              type="radio"
              name={field}
              value={option.value}
              checked={option.value === value}
              onChange={() => choose(option.value)}
              aria-labelledby={`${id}-${option.value}`}
              aria-describedby={`${id}-${option.value}-text`}
            />
            {option.icon ? <Icon name={option.icon} size={20} /> : option.picture}
            <span>
              <span id={`${id}-${option.value}`} className={styles.name}>
                {option.name}
              </span>
              <span id={`${id}-${option.value}-text`} className={styles.text}>
                {option.text}
              </span>
            </span>
            <span className={styles.check}>
              <Icon name="done" />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
