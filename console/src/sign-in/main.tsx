// First of all: takes secrets out of the address bar before anything else can read or record it.
import '../arrival'
import { StrictMode } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { onEnrollmentDue } from '../api/enrollment-due'
import { begin, renderNew } from '../begin'
import { currentHref, navigate, startRouter } from '../navigation/router'
import { signInPages } from './pages'
import { applyRenderedStyles } from './rendered-styles'
import { SignInApp } from './sign-in-app'

onEnrollmentDue(() => {
  if (location.pathname !== '/mfa/enroll')
    void navigate({ to: '/mfa/enroll', search: { returnTo: currentHref() }, replace: true })
})

/** Shows the console in this document, for browsers without cookies: the session is in its memory alone. */
async function openConsole(root: Root, element: HTMLElement): Promise<void> {
  const { App } = await import('../app')
  root.unmount()
  renderNew(element, <App />)
}

begin((element) => {
  let root: Root
  const hydrate = () => {
    applyRenderedStyles(element)
    const app = (
      <StrictMode>
        <SignInApp />
      </StrictMode>
    )
    root = hydrateRoot(element, app)
  }
  const shown = startRouter(signInPages, () => openConsole(root, element))
  if (!element.hasChildNodes()) root = renderNew(element, <SignInApp />)
  // The page from the server stays visible while its script loads.
  else if (shown) void shown.then(hydrate)
  else hydrate()
})
