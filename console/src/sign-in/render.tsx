import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { Boot } from '../api/contract'
import { setBoot } from '../boot'
import { setCspNonce } from '../csp-nonce'
import { selectPage } from '../navigation/router'
import { signInPages } from './pages'
import { moveStyles } from './rendered-styles'
import { SignInApp } from './sign-in-app'

interface Request {
  /** path and query */
  href: string
  boot: Boot
  nonce: string
}

/** Returns the root element of a sign-in page for the server's HTML, or undefined if the page needs the browser. */
export function renderPage({ href, boot, nonce }: Request): string | undefined {
  setBoot(boot)
  setCspNonce(nonce)
  if (!selectPage(signInPages, href)) return undefined
  const html = renderToString(
    <StrictMode>
      <SignInApp />
    </StrictMode>,
  )
  return moveStyles(html, nonce)
}
