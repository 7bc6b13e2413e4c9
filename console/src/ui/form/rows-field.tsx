import { Button, Input } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import m from '../../messages/en/form.json'
import { Icon } from '../icons/icon'
import { DescribedBy } from './described-by'
import styles from './rows-field.module.css'

interface Props<Name extends string> {
  legend: string
  name: Name
  /** names one row, such as "Redirect URL 2" */
  rowLabel: (place: number) => string
  initial: string[]
  errors: Partial<Record<string, string>>
  /** called when a row is removed, see `useForm` */
  touch: (name: Name) => void
  hint?: string
  optional?: string
  placeholder?: string
  /** a value that one click puts into an empty row, with the label of the button */
  suggestion?: { value: string; words: string } | undefined
}

interface Row {
  key: number
  value: string
}

/** A field with several rows. Each row shows its own error; the form reads all rows under one name. */
export function RowsField<Name extends string>(props: Props<Name>) {
  const { legend, name, rowLabel, initial, errors, touch, hint, optional, placeholder, suggestion } = props
  const id = useId()
  const nextKey = useRef(initial.length)
  const group = useRef<HTMLFieldSetElement>(null)
  const [rows, setRows] = useState<Row[]>(() =>
    (initial.length > 0 ? initial : ['']).map((value, key) => ({ key, value })),
  )
  const [focusOn, setFocusOn] = useState<number | null>(null)

  useEffect(() => {
    if (focusOn === null) return
    group.current?.querySelectorAll('input')[focusOn]?.focus()
    setFocusOn(null)
  }, [focusOn])

  function write(key: number, value: string) {
    setRows((before) => before.map((row) => (row.key === key ? { key, value } : row)))
  }

  function add(value = '') {
    const empty = rows.findIndex((row) => !row.value.trim())
    if (empty >= 0) {
      setRows(rows.map((row, place) => (place === empty ? { ...row, value } : row)))
      setFocusOn(empty)
    } else {
      nextKey.current += 1
      setRows([...rows, { key: nextKey.current, value }])
      setFocusOn(rows.length)
    }
    if (value) touch(name)
  }

  function remove(key: number, place: number) {
    const left = rows.filter((row) => row.key !== key)
    nextKey.current += 1
    setRows(left.length > 0 ? left : [{ key: nextKey.current, value: '' }])
    setFocusOn(Math.max(0, place - 1))
    touch(name)
  }

  return (
    <fieldset ref={group} className={styles.group} aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend className={styles.legend}>
        {legend}
        {optional && <span className={styles.optional}> ({optional})</span>}
      </legend>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {rows.map(({ key, value }, place) => {
        const error = errors[`${name}/${place}`] ?? (place === 0 ? errors[name] : undefined)
        const message = `${id}-${key}`
        return (
          <div key={key} className={styles.row}>
            <DescribedBy message={error ? message : undefined}>
              <Input
                name={name}
                data-row={place}
                value={value}
                onChange={(event) => write(key, event.target.value)}
                size="md"
                classNames={{ input: styles.input as string }}
                inputMode="url"
                autoCapitalize="none"
                autoCorrect="off"
                autoComplete="off"
                spellCheck={false}
                placeholder={placeholder}
                aria-label={rowLabel(place + 1)}
                error={Boolean(error)}
              />
            </DescribedBy>
            <Button
              variant="default"
              className={styles.remove as string}
              aria-label={m.removeRow({ row: rowLabel(place + 1) })}
              onClick={() => remove(key, place)}
            >
              <Icon name="minus" />
            </Button>
            <p id={message} className={styles.message}>
              {error}
            </p>
          </div>
        )
      })}
      <div className={styles.actions}>
        <Button variant="default" size="compact-md" leftSection={<Icon name="plus" size={16} />} onClick={() => add()}>
          {m.addRow()}
        </Button>
        {suggestion && !rows.some((row) => row.value === suggestion.value) && (
          <Button
            variant="subtle"
            size="compact-md"
            h="auto"
            classNames={{ label: styles.breaks as string }}
            onClick={() => add(suggestion.value)}
          >
            {suggestion.words}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

/** Returns the rows of a value, without empty ones. */
export function filledRows(value: string): string[] {
  return value
    .split('\n')
    .map((row) => row.trim())
    .filter(Boolean)
}
