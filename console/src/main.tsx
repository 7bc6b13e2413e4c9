// First: removes secrets from the address bar before other code can read or record it.
import './arrival'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import { arrival, secretFragment } from './arrival'
import { boot } from './boot'
import { judgeHost } from './canonical-host'
import { cspNonce } from './csp-nonce'
import { WrongHost } from './features/pages/wrong-host'

// A setup link opened on a page of the console does not load a document.
addEventListener('hashchange', () => {
  if (secretFragment()) location.reload()
})

const verdict = judgeHost(arrival.href, boot.frontendUrl)

if (verdict.kind === 'redirect' && !import.meta.env.DEV) {
  location.replace(verdict.to)
} else {
  // Mantine's modal locks scrolling through a library that reads its nonce from here, not from the provider.
  setNonce(cspNonce)
  const page = verdict.kind === 'foreign' && !import.meta.env.DEV ? <WrongHost expected={verdict.expected} /> : <App />
  createRoot(document.getElementById('root') as HTMLElement).render(<StrictMode>{page}</StrictMode>)
}

// A page from the back/forward cache may show data of a session that has ended: reload it.
addEventListener('pageshow', (event) => {
  if (!event.persisted) return
  document.documentElement.hidden = true
  location.reload()
})
