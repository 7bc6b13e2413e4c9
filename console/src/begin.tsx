// First of all: takes secrets out of the address bar before anything else can read or record it.
import './arrival'
import { setNonce } from 'get-nonce'
import { type ReactNode, StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { arrival, secretFragment } from './arrival'
import { boot } from './boot'
import { judgeHost } from './canonical-host'
import { cspNonce } from './csp-nonce'
import { WrongHost } from './features/pages/wrong-host'

/** Starts the pages of this document. @param render is not called if the host is not the configured one */
export function begin(render: (root: HTMLElement) => void): void {
  // A setup link that is opened on an open page does not load a document.
  addEventListener('hashchange', () => {
    if (secretFragment()) location.reload()
  })
  // The back/forward cache may show a page of a session that has ended since: load it again.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    document.documentElement.hidden = true
    location.reload()
  })
  // Mantine's modal locks scrolling through a library that reads its nonce from here, not from the provider.
  setNonce(cspNonce)
  const root = document.getElementById('root') as HTMLElement
  const verdict = import.meta.env.DEV ? ({ kind: 'fine' } as const) : judgeHost(arrival.href, boot.frontendUrl)
  if (verdict.kind === 'redirect') location.replace(verdict.to)
  else if (verdict.kind === 'foreign') renderNew(root, <WrongHost expected={verdict.expected} />)
  else render(root)
}

/** Renders into the root. */
export function renderNew(element: HTMLElement, page: ReactNode): Root {
  element.replaceChildren()
  const root = createRoot(element)
  root.render(<StrictMode>{page}</StrictMode>)
  return root
}
