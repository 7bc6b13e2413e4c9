import { Input, type InputProps } from '@mantine/core'
import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import { DescribedBy } from './described-by'
import styles from './field.module.css'

export interface FieldProps extends Omit<ComponentPropsWithRef<'input'>, 'size' | 'id'> {
  label: string
  name: string
  error?: string | undefined
  /** help below the label */
  hint?: ReactNode
  optional?: string
  /** between the field and its message, such as the rules of a password */
  below?: ReactNode
  /** a control at the end of the field */
  inside?: ReactNode
}

/** A field with its label above and its message below; the line of the message is reserved, so that nothing moves. */
export function Field({ label, error, hint, optional, below, inside, ref, ...input }: FieldProps) {
  const id = useId()
  const message = `${id}-message`
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
        {optional && <span className={styles.optional}> ({optional})</span>}
      </label>
      <DescribedBy message={error || hint ? message : undefined}>
        <Input
          {...(input as InputProps)}
          {...(ref ? { ref } : {})}
          id={id}
          size="md"
          classNames={{ input: styles.input as string }}
          error={Boolean(error)}
          rightSection={inside}
          rightSectionWidth={inside ? 48 : undefined}
          rightSectionPointerEvents="all"
        />
      </DescribedBy>
      {below}
      <p id={message} className={styles.message} data-error={error ? true : undefined}>
        {error ?? hint}
      </p>
    </div>
  )
}
