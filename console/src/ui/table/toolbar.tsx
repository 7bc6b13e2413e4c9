import { CloseButton, Menu, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import common from '../../messages/en/common.json'
import { useFocusAfterRemoval } from '../document/focus'
import { Icon } from '../icons/icon'
import styles from './toolbar.module.css'
import type { View } from './view'

export interface Filter {
  /** name of its search parameter */
  id: string
  name: string
  choices: readonly { value: string; name: string }[]
}

interface Props {
  /** label and placeholder of the search field; absent if the list has no search */
  search?: string
  filters?: readonly Filter[]
  view: View
  change: (view: View) => void
  /** at the end: column choice, export */
  end?: ReactNode
}

/** Search, filters as removable chips, and a menu of the filters that are not set. */
export function Toolbar({ search, filters = [], view, change, end }: Props) {
  const set = filters.filter(({ id }) => view.filters[id] !== undefined)
  const add = useRef<HTMLButtonElement>(null)
  const unset = filters.filter(({ id }) => view.filters[id] === undefined)
  const setFilter = (id: string, value: string | undefined) => {
    const { [id]: _, ...others } = view.filters
    change({ ...view, page: 1, filters: value === undefined ? others : { ...others, [id]: value } })
  }
  return (
    <div className={styles.toolbar}>
      {search !== undefined && <Search label={search} view={view} change={change} />}
      {set.map(({ id, name, choices }) => (
        <Chip
          key={id}
          name={name}
          value={namesOf(view.filters[id] ?? '', choices)}
          remove={() => setFilter(id, undefined)}
          focusNext={() => add.current}
        />
      ))}
      {unset.length > 0 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <button ref={add} type="button" className={styles.add}>
              <Icon name="plus" size={14} />
              {common.filter()}
            </button>
          </Menu.Target>
          <Menu.Dropdown className={styles.filters}>
            {unset.map(({ id, name, choices }) => (
              <Choices key={id} name={name} choices={choices} choose={(value) => setFilter(id, value)} />
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {end && <div className={styles.end}>{end}</div>}
    </div>
  )
}

interface ChipProps {
  name: string
  value: string
  remove: () => void
  /** the element that gets the focus of a removed chip */
  focusNext: () => HTMLElement | null
}

function Chip({ name, value, remove, focusNext }: ChipProps) {
  useFocusAfterRemoval(focusNext)
  return (
    <span className={styles.chip}>
      {name} <b title={value}>{value}</b>
      <CloseButton size={20} aria-label={common.removeFilter({ name })} onClick={remove} />
    </span>
  )
}

interface ChoicesProps extends Pick<Filter, 'name' | 'choices'> {
  choose: (value: string) => void
}

/** Milliseconds in which a tap causes all its events; the last is that the pointer leaves, which must not close what the tap has opened. */
const TAP = 500

/** A filter that is not set, with its choices in a menu beside it. */
function Choices({ name, choices, choose }: ChoicesProps) {
  const item = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  const tappedAt = useRef(Number.NEGATIVE_INFINITY)
  const isTap = () => performance.now() - tappedAt.current < TAP
  return (
    <Menu.Sub opened={opened} onChange={(next) => (next || !isTap()) && setOpened(next)}>
      <Menu.Sub.Target>
        <Menu.Sub.Item
          ref={item}
          // Mantine replaces `onPointerDown`.
          onPointerDownCapture={({ pointerType }) => {
            if (pointerType === 'touch') tappedAt.current = performance.now()
          }}
          onClick={() => isTap() && setOpened(true)}
        >
          {name}
        </Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown
        className={styles.choices}
        onKeyDown={({ key }) => {
          // Mantine closes the choices, but looks for this item by an ID that it does not have.
          if (key === 'ArrowLeft') item.current?.focus()
        }}
      >
        {choices.map((choice) => (
          <Menu.Item key={choice.value} onClick={() => choose(choice.value)}>
            {choice.name}
          </Menu.Item>
        ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}

/** Returns the names of the values of a filter, which a link separates by commas. */
const namesOf = (value: string, choices: Filter['choices']) =>
  value
    .split(',')
    .map((one) => choices.find((choice) => choice.value === one)?.name ?? one)
    .join(', ')

/** Searches 250 ms after the last typed letter. */
function Search({ label, view, change }: { label: string; view: View; change: (view: View) => void }) {
  const shown = view.q ?? ''
  const [text, setText] = useState(shown)
  const sent = useRef(shown)
  useEffect(() => {
    // Only what another control set, as "Clear filters": the user may have typed more since this field sent its value.
    if (shown !== sent.current) setText(shown)
    sent.current = shown
  }, [shown])
  useEffect(() => {
    if (text === sent.current) return
    const timer = setTimeout(() => {
      const { q: _, ...others } = view
      sent.current = text
      change({ ...others, page: 1, ...(text && { q: text }) })
    }, 250)
    return () => clearTimeout(timer)
  }, [text, view, change])
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      className={styles.search}
      leftSection={<Icon name="search" size={14} />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}
