import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { Boot } from '../api/contract'
import { setBoot } from '../boot'
import { setCspNonce } from '../csp-nonce'
import { loadRenderedPages, type Pages, selectPage } from '../navigation/router'
import { signInPages } from './pages'
import { moveStyles } from './rendered-styles'
import { SignInApp } from './sign-in-app'

interface Request {
  /** path and query */
  href: string
  boot: Boot
  nonce: string
}

let pages: Promise<Pages> | undefined

/** Returns the root element of a sign-in page for the server's HTML, or undefined if the page needs the browser. */
export async function renderPage({ href, boot, nonce }: Request): Promise<string | undefined> {
  pages ??= loadRenderedPages(signInPages).catch((error: unknown) => {
    // The next request loads them again.
    pages = undefined
    throw error
  })
  const loaded = await pages
  // Nothing waits from here on: another request has other data.
  setBoot(boot)
  setCspNonce(nonce)
  if (!selectPage(loaded, href)) return undefined
  const html = renderToString(
    <StrictMode>
      <SignInApp />
    </StrictMode>,
  )
  return moveStyles(html, nonce)
}
