import { Input } from '@mantine/core'
import { type ComponentPropsWithRef, useId } from 'react'
import { Icon } from '../icons/icon'
import { DescribedBy } from './described-by'
import styles from './field.module.css'

interface Props extends Omit<ComponentPropsWithRef<'select'>, 'id' | 'size'> {
  label: string
  name: string
  choices: readonly { value: string; name: string }[]
  error?: string | undefined
  hint?: string | undefined
}

/** A select of the browser, framed like every other field. */
export function Select({ label, choices, error, hint, ...select }: Props) {
  const id = useId()
  const message = `${id}-message`
  return (
    <div>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <DescribedBy message={error || hint ? message : undefined}>
        <Input
          {...(select as object)}
          component="select"
          pointer
          id={id}
          size="md"
          classNames={{ input: styles.input as string }}
          error={Boolean(error)}
          rightSection={<Icon name="down" size={16} />}
          rightSectionPointerEvents="none"
        >
          {choices.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Input>
      </DescribedBy>
      <p id={message} className={styles.message} data-error={error ? true : undefined}>
        {error ?? hint}
      </p>
    </div>
  )
}
