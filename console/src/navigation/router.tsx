import { type ComponentProps, type ComponentType, type MouseEvent, useMemo, useSyncExternalStore } from 'react'
import { importWhenOnline } from '../api/connectivity'
import { mayLeave } from '../ui/form/unsaved'
import { hrefOf } from './href'
import { SPLASH_AFTER_MS } from './splash-after'

/** A URL of this origin. */
export interface Place {
  path: string
  /** path and query */
  href: string
  search: Record<string, string>
}

export interface Page {
  /** `:name` matches one segment */
  path: string
  /** Returns the URL of the page to show instead. Returns no promise if the boot data is sufficient to decide. */
  before?: (place: Place) => string | undefined | Promise<string | undefined>
  component: ComponentType | (() => Promise<ComponentType>)
  /** the first render depends on the browser's state, so that the server does not render the page */
  needsBrowser?: true
  /** `component` imports the page */
  isLazy?: true
  /** the server renders the page although it is lazy: its first view depends on the boot data and the query only */
  isRendered?: true
}

export interface Pages {
  table: readonly Page[]
  notFound: ComponentType
  crash: ComponentType
  /** while the session is restored */
  splash: ComponentType
}

interface View {
  place: Place
  component: ComponentType
}

interface Destination {
  to: string
  search?: object
  replace?: boolean
}

/** The pages of the console: another document. */
const CONSOLE_PATHS = /^\/(?:$|home$|account(?:\/|$)|instance\/|t\/|try\/)/

/** Stays pending while the browser leaves the document. */
const never = new Promise<never>(() => {})

const none = () => null
let pages: Pages = { table: [], notFound: none, crash: none, splash: none }
let view: View | null = null
let openConsoleHere = async () => {}
let isSessionInMemory = false
/** Counts navigations: only the result of the latest one is shown. */
let latest = 0
const watchers = new Set<() => void>()

function show(next: View): void {
  const moved = view !== null && view.place.path !== next.place.path
  view = next
  for (const watch of watchers) watch()
  if (moved) scrollTo(0, 0)
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

const currentView = (): View | null => view

/** Returns the page that is shown, and its URL. */
export const useView = (): View | null => useSyncExternalStore(watch, currentView, currentView)

/** Returns the query of the page, read by `parse`. */
export function useSearch<Search>(parse: (search: Record<string, unknown>) => Search): Search {
  const search = useView()?.place.search
  return useMemo(() => parse(search ?? {}), [search, parse])
}

/** @param href path and query as the browser sends them, which may be malformed */
function placeOf(href: string): Place {
  const [path = '', ...query] = href.split('?')
  return { path: path.replace(/(.)\/$/, '$1'), href, search: Object.fromEntries(new URLSearchParams(query.join('?'))) }
}

const pageAt = (path: string): Page | undefined =>
  pages.table.find((page) => new RegExp(`^${page.path.replace(/:\w+/g, '[^/]+')}$`).test(path))

const placeHere = (): Place => placeOf(location.pathname + location.search)

/** Shows the page of a URL, or the page that must come before it. Returns no promise if the page is shown at once. */
function settle(place: Place): void | Promise<void> {
  latest += 1
  const turn = latest
  const page = pageAt(place.path)
  const fail = () => {
    if (turn === latest) show({ place, component: pages.crash })
  }
  const then = (instead: string | undefined): void | Promise<void> => {
    if (turn !== latest) return
    if (instead !== undefined) return openPage(instead, { replace: true })
    if (!page) return show({ place, component: pages.notFound })
    if (!page.isLazy) return show({ place, component: page.component as ComponentType })
    return importWhenOnline(page.component as () => Promise<ComponentType>).then((component) => {
      if (turn === latest) show({ place, component })
    }, fail)
  }
  const instead = page?.before?.(place)
  if (!(instead instanceof Promise)) return then(instead)
  const timer = setTimeout(() => turn === latest && show({ place, component: pages.splash }), SPLASH_AFTER_MS)
  return instead.finally(() => clearTimeout(timer)).then(then, fail)
}

/**
 * Opens a page of this origin: in this document, or as a new one if the page belongs to the console. In the second case the promise stays
 * pending, so that forms stay busy while the browser leaves.
 * @param href path and query, validated by `safeReturn`
 */
export async function openPage(href: string, { replace = false } = {}): Promise<void> {
  if (!mayLeave()) return
  const url = new URL(href, location.origin)
  // No caller passes another origin. If one did, this must not become an open redirect.
  if (url.origin !== location.origin) throw new Error('Not a page of this origin')
  const place = placeOf(url.pathname + url.search)
  if (!pageAt(place.path) && CONSOLE_PATHS.test(place.path)) {
    if (isSessionInMemory || !navigator.cookieEnabled) {
      history.replaceState(null, '', url)
      return openConsoleHere()
    }
    if (replace) location.replace(url)
    else location.assign(url)
    return never
  }
  if (replace) history.replaceState(null, '', url)
  else history.pushState(null, '', url)
  await settle(place)
}

export const navigate = ({ to, search, replace = false }: Destination): Promise<void> =>
  openPage(hrefOf(to, search), { replace })

/** The URL that is shown: path and query. */
export const currentHref = (): string => placeHere().href

/** Opens the console in this document, because the browser has no cookie of the session. */
export function keepDocument(): void {
  isSessionInMemory = true
}

/**
 * Shows the page of the document's URL.
 * @param openConsole shows the console in this document
 * @returns a promise if the page is not shown yet
 */
export function startRouter(all: Pages, openConsole: () => Promise<void>): void | Promise<void> {
  pages = all
  openConsoleHere = openConsole
  addEventListener('popstate', () => {
    if (mayLeave()) void settle(placeHere())
    else if (view) history.pushState(null, '', view.place.href)
  })
  return settle(placeHere())
}

/** Imports the lazy pages that the server renders. */
export async function loadRenderedPages(all: Pages): Promise<Pages> {
  const load = async (page: Page): Promise<Page> => {
    if (!page.isRendered) return page
    const { isLazy: _, ...loaded } = page
    return { ...loaded, component: await (page.component as () => Promise<ComponentType>)() }
  }
  return { ...all, table: await Promise.all(all.table.map(load)) }
}

/** Selects the page of a URL for a render on the server. @returns false if the page needs more than the boot data */
export function selectPage(all: Pages, href: string): boolean {
  pages = all
  const place = placeOf(href)
  const page = pageAt(place.path)
  view = null
  if (page?.isLazy || page?.needsBrowser || page?.before?.(place) !== undefined) return false
  view = { place, component: page ? (page.component as ComponentType) : pages.notFound }
  return true
}

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & Pick<Destination, 'to' | 'search'>

/** A link to a page of this origin. */
export function Link({ to, search, onClick, ...props }: LinkProps) {
  const href = hrefOf(to, search)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (event.defaultPrevented || event.button !== 0 || opensElsewhere) return
    event.preventDefault()
    void openPage(href)
  }
  return <a {...props} href={href} onClick={follow} />
}
