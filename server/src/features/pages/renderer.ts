import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { SECOND } from '../../platform/clock.js'
import { randomKey } from '../../platform/crypto/random.js'
import type { BootData } from './boot-data.js'

/** The console's bundle for the server. */
interface Bundle {
  /** Returns the root element, or undefined if the page needs the browser. */
  renderPage(request: { href: string; boot: BootData; nonce: string }): Promise<string | undefined>
}

/** Renders the root element of a sign-in page. Returns undefined if the browser has to render it. */
export type Renderer = (href: string, boot: BootData) => Promise<((nonce: string) => string) | undefined>

/** Pages without a query differ only by the boot data, which changes when an administrator saves the settings. */
const MAX_STORED = 30

/**
 * A page with a query is rendered for each request, which takes some milliseconds of the only thread. Anyone can send such requests, so above
 * this number the browsers render: the pages look the same a little later.
 */
const MAX_RENDERS_PER_SECOND = 20

/**
 * Returns a renderer that loads the bundle at its first use, so that the service starts as fast without it.
 * @param file the bundle; without it the browser renders all pages
 */
export function createRenderer(file: string): Renderer {
  const isBuilt = existsSync(file)
  let bundle: Promise<Bundle> | undefined
  const mayRender = limitPerSecond(MAX_RENDERS_PER_SECOND)
  const stored = new Map<string, string>()
  // In place of the nonce in stored HTML. Random, so that no name or query can contain it.
  const placeholder = randomKey(16).toString('hex')

  return async (href, boot) => {
    // A browser with a session leaves the page at once, and an email address is not rendered.
    if (!isBuilt || boot.hasSession || boot.loginHint) return undefined
    bundle ??= import(pathToFileURL(file).href)
    const { renderPage } = await bundle
    const key = href.includes('?') ? undefined : JSON.stringify([href, boot])
    let html = key === undefined ? undefined : stored.get(key)
    if (html === undefined) {
      if (!mayRender()) return undefined
      html = await renderPage({ href, boot, nonce: placeholder })
      if (html === undefined) return undefined
      if (key !== undefined) store(key, html)
    }
    const rendered = html
    return (nonce) => rendered.replaceAll(placeholder, nonce)
  }

  function store(key: string, html: string): void {
    const [oldest] = stored.keys()
    if (stored.size >= MAX_STORED && oldest !== undefined) stored.delete(oldest)
    stored.set(key, html)
  }
}

/** Returns a function that returns true at most `max` times in each second. */
function limitPerSecond(max: number): () => boolean {
  let second = 0
  let count = 0
  return () => {
    const now = Math.floor(performance.now() / SECOND)
    if (now !== second) [second, count] = [now, 0]
    return ++count <= max
  }
}
