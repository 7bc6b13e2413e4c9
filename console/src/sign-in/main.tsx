// First of all: takes secrets out of the address bar before anything else can read or record it.
import '../arrival'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
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

begin((root) => {
  const isShown = startRouter(signInPages)
  if (isShown && root.hasChildNodes()) {
    applyRenderedStyles(root)
    const app = (
      <StrictMode>
        <SignInApp />
      </StrictMode>
    )
    hydrateRoot(root, app)
  } else renderNew(root, <SignInApp />)
})
