import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import common from '../../messages/en/common.json'
import { type ListSearch, searchOf, type View, viewFrom } from './view'

/**
 * The state of a list page in its URL. The route validates its search with `listSearch`.
 * @param filters names of the filters; the same array in each render
 */
export function useListView(filters: readonly string[]) {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const view = useMemo(() => viewFrom(search, filters), [search, filters])
  const change = (next: View, open?: string) =>
    navigate({ to: '.', search: { ...searchOf(next), ...(open && { open }) }, replace: true })
  return {
    view,
    change,
    /** The dialog that the URL opens, as `invitation`; the palette links to it. */
    dialog: search.new === undefined ? undefined : String(search.new),
    openDialog: (name: string) => void navigate({ to: '.', search: { ...searchOf(view), new: name }, replace: true }),
    closeDialog: () => void change(view),
    /** The row whose details are open, with its place in the list, and the ways to its neighbors. */
    openRow<Row extends { id: string }>(rows: readonly Row[] | undefined, total: number) {
      const index = rows?.findIndex(({ id }) => id === search.open) ?? -1
      const row = rows?.[index]
      if (!row) return null
      const openAt = (place: number) => {
        const neighbor = rows?.[place]
        return neighbor && (() => void change(view, neighbor.id))
      }
      const position = (view.page - 1) * view.limit + index + 1
      return {
        row,
        place: {
          position: common.position({ position, total }),
          previous: openAt(index - 1),
          next: openAt(index + 1),
          close: () => void change(view),
        },
      }
    },
  }
}
