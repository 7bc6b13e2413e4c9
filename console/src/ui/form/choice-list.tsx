import { Checkbox } from '@mantine/core'
import { useId } from 'react'
import styles from './choice-list.module.css'

export interface Choice {
  value: string
  title: string
  about?: string
  /** disabled, for the reason in `about` */
  disabled?: boolean
}

interface Props {
  legend: string
  name: string
  choices: Choice[]
  chosen: string[]
  error?: string | undefined
}

/** Checkboxes with descriptions. The form reads the checked values under one name. */
export function ChoiceList({ legend, name, choices, chosen, error }: Props) {
  const message = `${useId()}-message`
  return (
    <fieldset className={styles.group} aria-describedby={error ? message : undefined}>
      <legend className={styles.legend}>{legend}</legend>
      {choices.map(({ value, title, about, disabled = false }) => (
        <Checkbox
          key={value}
          name={name}
          value={value}
          disabled={disabled}
          defaultChecked={chosen.includes(value)}
          size="sm"
          iconColor="var(--mantine-primary-color-contrast)"
          label={
            <>
              {title}
              {about && <span className={styles.about}>{about}</span>}
            </>
          }
          classNames={{
            root: styles.choice as string,
            body: styles.body as string,
            inner: styles.inner as string,
            label: styles.label as string,
            input: styles.box as string,
          }}
        />
      ))}
      {error && (
        <p id={message} className={styles.message}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
