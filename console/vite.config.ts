import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bootData, plainBootBlock } from './vite-plugins/boot-data.ts'
import { messages } from './vite-plugins/messages.ts'

/** Where `npm start` of the server listens while the pages are developed. */
const service = process.env.KEYWARD_SERVICE ?? 'http://localhost:3000'

/** The server replaces this text by a fresh nonce in each answer; in development it is itself the nonce. */
const nonce = '__CSP_NONCE__'

/** Same rules as the server's pages room, plus what the development client of Vite cannot do without: its socket. */
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

/** The service compares Origin with its own address, so a proxied call must name that address. */
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
            // The sign-in pages are small and follow each other: one file, with what they all need, instead of thirty.
            { name: 'sign-in', test: /\/src\/features\/accounts\// },
            // The catalogue has one door, behind which the words of the other pages would come along.
            {
              name: 'words',
              test: /\/src\/words\/en\/(account|applications|apps|device|factors|saml|saml-keys|sso-callback|tokens|try-it)\.ts$/,
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
