import { useCallback, useState } from 'react'

/** The selected rows: some by ID, or all that match the current filters, also those on other pages. */
export type Selected = { kind: 'some'; ids: ReadonlySet<string> } | { kind: 'matching' }

export interface Selection {
  selected: Selected
  has: (id: string) => boolean
  /** @param page the rows of the page: if all that match are selected, its other rows stay selected */
  toggle: (id: string, page: readonly string[]) => void
  /** Selects these rows in addition, or removes them if all of them are selected. */
  togglePage: (ids: readonly string[]) => void
  selectMatching: () => void
  clear: () => void
  /** @param total number of rows that match the filters */
  count: (total: number) => number
}

const NONE: Selected = { kind: 'some', ids: new Set() }

const idsOf = (selected: Selected): ReadonlySet<string> => (selected.kind === 'some' ? selected.ids : new Set())

/** @param scope changes with the filters: the selection starts anew, so that no invisible row stays selected */
export function useSelection(scope: string): Selection {
  const [state, setState] = useState({ scope, selected: NONE })
  const selected = state.scope === scope ? state.selected : NONE
  const set = (next: Selected) => setState({ scope, selected: next })
  const ids = idsOf(selected)
  // Unchanged within a scope, so that the rows of a table can be memoized.
  const toggle = useCallback(
    (id: string, page: readonly string[]) =>
      setState((now) => {
        const selected = now.scope === scope ? now.selected : NONE
        const next = new Set(selected.kind === 'matching' ? page : selected.ids)
        if (!next.delete(id)) next.add(id)
        return { scope, selected: { kind: 'some', ids: next } }
      }),
    [scope],
  )
  return {
    selected,
    has: (id) => selected.kind === 'matching' || ids.has(id),
    toggle,
    togglePage: (page) => {
      const all = selected.kind === 'matching' || page.every((id) => ids.has(id))
      const rest = [...ids].filter((id) => !page.includes(id))
      set({ kind: 'some', ids: new Set(all ? rest : [...ids, ...page]) })
    },
    selectMatching: () => set({ kind: 'matching' }),
    clear: () => set(NONE),
    count: (total) => (selected.kind === 'matching' ? total : ids.size),
  }
}
