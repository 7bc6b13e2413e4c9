import { Input, type InputProps } from '@mantine/core'
import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import { DescribedBy } from './described-by'
import styles from './field.module.css'

export interface FieldProps extends Omit<ComponentPropsWithRef<'input'>, 'size' | 'id'> {
  label: string
  name: string
  error?: string | undefined
  /** what to know before typing */
  hint?: ReactNode
  optional?: string
  /** between the field and its message, as the rules of a password */
  below?: ReactNode
  /** a link at the end of the label's line */
  aside?: ReactNode
  /** ID of the element that shows the error in place of the field */
  errorIn?: string | undefined
  /** a control at the end of the field */
  inside?: ReactNode
  /** in pixels */
  insideWidth?: number
}

/** Label above, error or hint below. */
export function Field({
  label,
  error,
  hint,
  optional,
  below,
  inside,
  aside,
  errorIn,
  insideWidth,
  ref,
  ...input
}: FieldProps) {
  const id = useId()
  const message = error && errorIn ? errorIn : `${id}-message`
  const text = error && !errorIn ? error : hint
  return (
    <div className={styles.field}>
      <div className={styles.labelLine}>
        <label className={styles.label} htmlFor={id}>
          {label}
          {optional && <span className={styles.optional}> ({optional})</span>}
        </label>
        {aside}
      </div>
      <DescribedBy message={error || hint ? message : undefined}>
        <Input
          {...(input as InputProps)}
          {...(ref ? { ref } : {})}
          id={id}
          size="md"
          classNames={{ input: styles.input as string }}
          error={Boolean(error)}
          rightSection={inside}
          rightSectionWidth={inside ? (insideWidth ?? 48) : undefined}
          rightSectionPointerEvents="all"
        />
      </DescribedBy>
      {below}
      <p id={`${id}-message`} className={styles.message} data-error={text === error && error ? true : undefined}>
        {text}
      </p>
    </div>
  )
}
