import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import common from '../../messages/en/common.json'
import { DOCKED } from '../page/docked'
import { type ListSearch, searchOf, type View, viewFrom } from './view'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The previous entry of the history is the same list without details. */
    isOverList?: boolean
  }
}

const isDocked = () => matchMedia(DOCKED).matches

/**
 * The state of a list page in its URL. The route validates its search with `listSearch`.
 * @param filters names of the filters; the same array in each render
 */
export function useListView(filters: readonly string[]) {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const { history } = useRouter()
  const view = useMemo(() => viewFrom(search, filters), [search, filters])
  /** Only another list begins at its top. */
  const change = (next: View, open?: string) => {
    // Back closes details that cover the list.
    const isOverList = open !== undefined && search.open === undefined && !isDocked()
    return navigate({
      to: '.',
      search: { ...searchOf(next), ...(open && { open }) },
      replace: !isOverList,
      state: isOverList ? { isOverList } : true,
      resetScroll: next !== view,
    })
  }
  const close = () => (history.location.state.isOverList ? history.back() : void change(view))
  return {
    view,
    change,
    /** The dialog that the URL opens, as `invitation`; the palette links to it. */
    dialog: search.new === undefined ? undefined : String(search.new),
    openDialog: (name: string) =>
      void navigate({ to: '.', search: { ...searchOf(view), new: name }, replace: true, resetScroll: false }),
    closeDialog: () => void change(view),
    /** The row whose details are open, with its place in the list, and the ways to its neighbors. */
    openRow<Row extends { id: string }>(rows: readonly Row[] | undefined, total: number) {
      const index = rows?.findIndex(({ id }) => id === search.open) ?? -1
      const row = rows?.[index]
      if (!row) return null
      const openAt = (place: number) => {
        const neighbor = rows?.[place]
        if (!neighbor) return undefined
        return () => {
          const current = document.querySelector('tr[data-current]')
          const shown = place < index ? current?.previousElementSibling : current?.nextElementSibling
          shown?.scrollIntoView({ block: 'nearest' })
          void change(view, neighbor.id)
        }
      }
      const position = (view.page - 1) * view.limit + index + 1
      return {
        row,
        place: {
          position: common.position({ position, total }),
          previous: openAt(index - 1),
          next: openAt(index + 1),
          close,
        },
      }
    },
  }
}
