import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bootData, plainBootBlock } from './vite-plugins/boot-data.ts'
import { messages } from './vite-plugins/messages.ts'

/** The URL of the service during development. */
const service = process.env.KEYWARD_SERVICE ?? 'http://localhost:3000'

/** The server replaces this placeholder with a fresh nonce in each response; during development it is the nonce. */
const nonce = '__CSP_NONCE__'

/** The policy of the server's pages, and the socket of Vite's development client. */
const developmentPolicy = [
  "default-src 'none'",
  `script-src 'self' 'nonce-${nonce}'`,
  `style-src 'self' 'nonce-${nonce}'`,
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self' ws://localhost:5173",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ')

/** The service compares Origin with its own URL, so proxied calls must send that URL. */
const proxied = { target: service, changeOrigin: true, headers: { origin: service } }

export default defineConfig({
  plugins: [messages(), react(), bootData(service), plainBootBlock()],
  html: { cspNonce: nonce },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The sign-in pages are small and follow each other: one file instead of thirty.
            { name: 'sign-in', test: /\/src\/features\/accounts\// },
            // `words/index.ts` exports all messages, which a page would load together.
            {
              name: 'words',
              test: /\/src\/words\/en\/(applications|directory|ldap|ldap-causes|ldap-runs|saml|saml-keys|scim|scim-refusals|scim-vendors|sso|sso-report|sso-vendors|tokens|try-it)\.ts$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    headers: { 'Content-Security-Policy': developmentPolicy, 'Referrer-Policy': 'no-referrer' },
    proxy: {
      '/api': proxied,
      '/scim': proxied,
      '/livez': proxied,
      '/readyz': proxied,
      '/openapi.json': proxied,
      '/docs': proxied,
    },
  },
})
