import type { ClientSettings } from '../overview/env-file'

/** A browser reads no environment, and these values are not secret. */
export const react = ({ issuer, clientId, redirectUri, scopes }: ClientSettings): string =>
  `// npm install react-oidc-context oidc-client-ts
import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

const settings = {
  authority: '${issuer}',
  client_id: '${clientId}',
  redirect_uri: '${redirectUri}',
  scope: '${scopes.join(' ')}',
  // Removes the code from the URL
  onSigninCallback: () => history.replaceState({}, '', location.pathname),
}

function App() {
  const auth = useAuth()
  if (auth.isLoading) return <p>Loading</p>
  if (auth.error) return <p>{auth.error.message}</p>
  if (!auth.isAuthenticated) return <button onClick={() => auth.signinRedirect()}>Sign in</button>
  return <pre>{JSON.stringify(auth.user?.profile, null, 2)}</pre>
}

createRoot(document.getElementById('root')!).render(
  <AuthProvider {...settings}>
    <App />
  </AuthProvider>,
)
`
