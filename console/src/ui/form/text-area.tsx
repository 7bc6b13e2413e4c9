import { Input } from '@mantine/core'
import { type ComponentPropsWithRef, useId } from 'react'
import { DescribedBy } from './described-by'
import styles from './field.module.css'

interface Props extends Omit<ComponentPropsWithRef<'textarea'>, 'id'> {
  label: string
  name: string
  error?: string | undefined
  hint?: string
  optional?: string
}

/** A field with several lines, framed like every other field. */
export function TextArea({ label, error, hint, optional, ...input }: Props) {
  const id = useId()
  const message = `${id}-message`
  return (
    <div>
      <label className={styles.label} htmlFor={id}>
        {label}
        {optional && <span className={styles.optional}> ({optional})</span>}
      </label>
      <DescribedBy message={error || hint ? message : undefined}>
        <Input
          {...(input as object)}
          component="textarea"
          multiline
          id={id}
          size="md"
          classNames={{ input: `${styles.input} ${styles.area}` }}
          error={Boolean(error)}
        />
      </DescribedBy>
      <p id={message} className={styles.message} data-error={error ? true : undefined}>
        {error ?? hint}
      </p>
    </div>
  )
}
