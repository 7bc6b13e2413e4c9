import { useLayoutEffect, useSyncExternalStore } from 'react'
import { boot } from '../../boot'

/** A team whose logo and color a page has. */
export interface Branded {
  id: string
  name: string
  logoUrl: string | null
  primaryColor?: string | null
}

/** The color of a team that only the page knows, for example from an invitation. */
let ofPage: string | null = null
const watchers = new Set<() => void>()

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function setColorOfPage(color: string | null): void {
  ofPage = color
  for (const watcher of watchers) watcher()
}

/** Gives the page the color of a team while it is shown, before the browser paints it in the color of the instance. */
export function useBrandColor(team: Branded | undefined): void {
  const color = team?.primaryColor ?? null
  useLayoutEffect(() => {
    if (!color) return
    setColorOfPage(color)
    return () => setColorOfPage(null)
  }, [color])
}

const current = (): string => ofPage ?? boot.team?.primaryColor ?? boot.instance.primaryColor

/** The color of the team of the page or the request; without one, that of the instance. */
export const usePrimaryColor = (): string => useSyncExternalStore(watch, current, current)
